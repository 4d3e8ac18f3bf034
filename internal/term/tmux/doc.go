// Package tmux looks at tmux panes and types into them by compare-and-paste.
//
// tmux runs one command line in one pass of its server. So Look asks for
// identity, state and screen in one line, and Paste and Press ask in one line
// "if everything is still as it was seen, then do it": check and keystroke are
// one moment, and no other client's command and no output of the program comes
// in between. What tmux itself cannot know (a key that the program has read
// and not drawn, who it is by pid and start time) no guard can hold.
//
// Nothing here chooses a pane: an id such as "%3" is given, and the identity
// that was seen with it goes into every guard.
package tmux
