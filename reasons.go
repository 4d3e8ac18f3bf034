package parley

// The reasons, one word each. REASONS.md is this table for people; a test
// holds the two against each other.
const (
	ReasonDraft        Reason = "draft"
	ReasonResidue      Reason = "residue"
	ReasonAsking       Reason = "asking"
	ReasonMenu         Reason = "menu"
	ReasonMode         Reason = "mode"
	ReasonWorking      Reason = "working"
	ReasonUnreadable   Reason = "unreadable"
	ReasonTyping       Reason = "typing"
	ReasonMoved        Reason = "moved"
	ReasonLineMode     Reason = "line-mode"
	ReasonCopyMode     Reason = "copy-mode"
	ReasonSynchronized Reason = "synchronized"
	ReasonInputOff     Reason = "input-off"
	ReasonSuspended    Reason = "suspended"
	ReasonLocked       Reason = "locked"
	ReasonPaused       Reason = "paused"
	ReasonUnproven     Reason = "unproven"
	ReasonNotAnAgent   Reason = "not-an-agent"
	ReasonWrongProcess Reason = "wrong-process"
	ReasonNoAgent      Reason = "no-agent"
	ReasonAmbiguous    Reason = "ambiguous"
	ReasonNameTaken    Reason = "name-taken"
	ReasonSelf         Reason = "self"
	ReasonTooLong      Reason = "too-long"
	ReasonKeyTaken     Reason = "key-taken"
	ReasonUsage        Reason = "usage"
	ReasonOtherRefused Reason = "other-refused"
	ReasonNoEcho       Reason = "no-echo"
	ReasonMixed        Reason = "mixed"
	ReasonNotEntered   Reason = "not-entered"
	ReasonNotLanded    Reason = "not-landed"
	ReasonEnded        Reason = "ended"
	ReasonInterrupted  Reason = "interrupted"
	ReasonCleared      Reason = "cleared"
	ReasonTerminal     Reason = "terminal-error"
	ReasonRead         Reason = "read"
)

// Meaning is what a reason says and what one can do about it.
type Meaning struct {
	Reason  Reason
	Touched string // which of none, pasted, entered it can come with
	Means   string // a clause that follows "because"
	Do      string // what to do
}

// TakeUp is how a name comes to mean the agent that runs there now: the one
// command of the two where it is known which.
const TakeUp = "`parley status` (or `parley join --as NAME --pane %N`)"

// Reasons lists every reason in the order of REASONS.md.
var Reasons = []Meaning{
	{ReasonDraft, "none", "its input box holds text that is not ours", "Wait until the person has sent or cleared it; `parley deliver ID` tries again."},
	{ReasonResidue, "none", "its input box still holds text of an earlier attempt by parley", "Look at the box (the team's residue.jsonl says why parley leaves it): press Enter there to send it, or clear it; then `parley deliver ID`."},
	{ReasonAsking, "none; pasted or entered with unknown", "a permission, a question or another dialog waits for a person", "Answer it in the agent's terminal; parley never does."},
	{ReasonMenu, "none; pasted or entered with unknown", "a menu, picker or overlay has the keys", "Close it in the agent's terminal."},
	{ReasonMode, "none; pasted or entered with unknown", "its input box is in another mode (shell, search)", "Leave that mode in the agent's terminal."},
	{ReasonWorking, "none", "it is working", "Wait for the turn to end (`parley wait NAME --for idle`); --when idle asked for this, or its CLI keeps nothing typed meanwhile."},
	{ReasonUnreadable, "none; pasted or entered with unknown", "no rule of its dialect knows what is on its screen", "`parley explain NAME` shows what was read; never typed into on a guess."},
	{ReasonTyping, "none", "a person was typing there a moment ago", "Wait two seconds."},
	{ReasonMoved, "none; pasted or entered with unknown", "its screen changed between look and keystroke, again and again", "Try again when it is calmer: `parley deliver ID`."},
	{ReasonLineMode, "none", "its terminal is in line mode, so no input box reads there", "See what runs in the pane; a program that is starting needs a moment."},
	{ReasonCopyMode, "none; pasted or entered with unknown", "tmux copy mode (or another mode) holds the pane's keys", "Leave it with q."},
	{ReasonSynchronized, "none", "the pane's keys also go to its siblings", "Switch it off: `tmux set-option -w -t %N synchronize-panes off`."},
	{ReasonInputOff, "none", "the pane takes no input", "`tmux select-pane -e -t %N` switches it on again."},
	{ReasonSuspended, "none", "the agent is suspended (Ctrl+Z)", "Bring it back with fg."},
	{ReasonLocked, "none", "another sender is typing there", "Try again: `parley deliver ID`."},
	{ReasonPaused, "none", "a person paused it", "Only a person can resume it."},
	{ReasonUnproven, "none", "its dialect has not been proven on the real program", "List the CLI under `unproven` in the config if you accept the risk."},
	{ReasonNotAnAgent, "none; pasted or entered with unknown", "no known agent runs there any more", "Start it again if nothing runs there, then " + TakeUp + ", then send anew."},
	{ReasonWrongProcess, "none; pasted or entered with unknown", "another process stands where the meant one stood", "Make the name mean the one that runs there now: " + TakeUp + "; then send anew."},
	{ReasonNoAgent, "none", "no agent bears the name", "`parley status` lists who is there; --mailbox saves all the same."},
	{ReasonAmbiguous, "none", "the name fits more than one place", "`parley join --as NAME --pane %N` names one."},
	{ReasonNameTaken, "none", "the claimed name belongs to another live agent", "Speak under your own name."},
	{ReasonSelf, "none", "an agent cannot send to itself", "Name another."},
	{ReasonTooLong, "none", "the message is longer than what is typed", "Put it in a file: `parley send --file PATH NAME`."},
	{ReasonKeyTaken, "none", "its key stands for another message to that name", "Give it a key of its own; `parley log ID` shows the first."},
	{ReasonUsage, "none", "the call, or a file that it goes by, is not as it should be", "Read the sentence above; `parley VERB --help` has examples."},
	{ReasonOtherRefused, "none", "another recipient of the same send was refused", "Mend that one or leave it out, and send again: nothing was saved for anybody."},
	{ReasonNoEcho, "pasted", "it was pasted, but never seen whole and alone in the box; Enter was not pressed", "Look at its terminal; parley will not type it again."},
	{ReasonMixed, "pasted or entered", "other text met ours", "Look at its terminal: a person's keys and the message may stand together."},
	{ReasonNotEntered, "entered", "Enter was pressed, but the text was not seen to leave the box", "Look at its terminal; parley will not type it again."},
	{ReasonNotLanded, "entered", "its CLI held it for later, and then it was found nowhere", "Send it anew if it still matters."},
	{ReasonEnded, "entered", "its agent ended while the CLI held it for later, and nothing in its record says that it arrived before", "Look at the conversation that ended; send it anew only if it is not there."},
	{ReasonInterrupted, "pasted or entered", "the sender ended in the middle of the attempt", "Look at its terminal; parley will not type it again."},
	{ReasonCleared, "pasted or entered", "its text still stood in the box, not taken, and was taken out again", "Send it anew if it still matters."},
	{ReasonTerminal, "none; pasted or entered with unknown", "the terminal call failed", "Check the tmux server (`parley doctor`)."},
	{ReasonRead, "none", "the recipient has read it in its inbox", "Nothing: it is not typed any more."},
}

// Meaning looks a reason up; the zero Meaning for the empty or an unknown one.
func (r Reason) Meaning() Meaning {
	for _, m := range Reasons {
		if m.Reason == r {
			return m
		}
	}
	return Meaning{}
}
