package parley

// The reasons: REASONS.md says of each what it means and what to do. A test
// holds this list and that page against each other.
const (
	ReasonDraft        Reason = "draft"          // the box holds text that is not ours
	ReasonResidue      Reason = "residue"        // the box holds our own text of an earlier attempt
	ReasonAsking       Reason = "asking"         // a permission, question or other dialog waits for a person
	ReasonMenu         Reason = "menu"           // a menu, picker or overlay has the keys
	ReasonWorking      Reason = "working"        // it works, and keeps nothing typed meanwhile (or --when idle)
	ReasonUnreadable   Reason = "unreadable"     // no rule of the dialect knows this screen
	ReasonTyping       Reason = "typing"         // a person was at these keys a moment ago
	ReasonMode         Reason = "mode"           // the box is in another mode (shell, vim normal, search)
	ReasonCopyMode     Reason = "copy-mode"      // tmux copy mode holds the keys
	ReasonSynchronized Reason = "synchronized"   // keys would reach sibling panes too
	ReasonInputOff     Reason = "input-off"      // the pane takes no input
	ReasonSuspended    Reason = "suspended"      // the agent is stopped or in the background (Ctrl+Z)
	ReasonNotAnAgent   Reason = "not-an-agent"   // no known CLI runs there any more
	ReasonWrongProcess Reason = "wrong-process"  // another process stands where the meant one stood
	ReasonNoAgent      Reason = "no-agent"       // the name was never seen
	ReasonAmbiguous    Reason = "ambiguous"      // the name fits more than one place
	ReasonLocked       Reason = "locked"         // another sender holds the target
	ReasonPaused       Reason = "paused"         // a person paused it
	ReasonTooLong      Reason = "too-long"       // the body is over the limit
	ReasonNameTaken    Reason = "name-taken"     // the claimed name belongs to another live agent
	ReasonSelf         Reason = "self"           // an agent cannot send to itself
	ReasonRefused      Reason = "moved"          // the screen changed between look and paste, again and again
	ReasonNoEcho       Reason = "no-echo"        // pasted, but our text was never seen in the box
	ReasonMixed        Reason = "mixed"          // our text and other text met in the box
	ReasonNotEntered   Reason = "not-entered"    // pressed, but our text still stands in the box
	ReasonNotLanded    Reason = "not-landed"     // queued, and then found nowhere
	ReasonInterrupted  Reason = "interrupted"    // the sender ended in mid-attempt
	ReasonTerminal     Reason = "terminal-error" // the terminal call failed; applied or not is not known
	ReasonUnproven     Reason = "unproven"       // the dialect is not proven; the user has not consented
	ReasonRead         Reason = "read"           // the recipient has read it already: not typed any more
)
