// Package dialect is the data of how one CLI shows and takes things, and the
// one engine that reads a screen by it. A CLI is a file in data/, never a case
// in Go. Reading is a whitelist: what no rule knows is unreadable.
package dialect

import (
	"time"

	"parley"
	"parley/internal/screen"
)

// Dialect is one CLI's file. It is never changed after Load.
type Dialect struct {
	CLI    string   // "claude"
	Name   string   // "Claude Code"
	Status string   // "proven" or "unproven"
	Tested []string // versions it was tried on, oldest first
	File   string   // where it was read from
	// Replaces is the file of the dialect of the same CLI that this one has
	// taken the place of; "" = none.
	Replaces string

	Submit     Submit
	Clear      Clear
	Paste      Paste
	Text       Text
	Process    Process
	Transcript Transcript
	State      StateFile
	Sender     Sender

	boxes  []box
	rules  []rule
	below  below
	tokens []token
	text   []byte // the file
}

// Composer is what the input box holds.
type Composer string

const (
	Empty      Composer = "empty"
	Draft      Composer = "draft"
	Absent     Composer = "absent"     // no box is on screen, and a rule says why
	Unreadable Composer = "unreadable" // no rule knows what is on screen
)

// Turn is whose move it is.
type Turn string

const (
	Idle        Turn = "idle"
	Working     Turn = "working"
	Asking      Turn = "asking"
	UnknownTurn Turn = "unknown"
)

// Reading is a dialect applied to one screen.
type Reading struct {
	Composer Composer
	Draft    string        // the box's own text, rows joined by "\n", ghost left out
	Box      screen.Region // the cells that may hold the draft; empty if absent
	Ghost    string        // placeholder or suggestion, which is not text
	Clipped  bool          // the draft's head is out of sight (the box is too tall)
	AtEnd    bool          // the cursor stands right behind the draft's last character
	Tokens   []Token       // collapsed pastes in the draft, in order
	Queued   bool          // the CLI draws that it holds a prompt for later
	Turn     Turn
	MayType  bool          // what `send` would do with exactly this screen
	Reason   parley.Reason // why not; empty if MayType
	Rule     string        // the rule that decided, as "class: name"
	ByTitle  bool          // it looked at the window's title

	Parts  []Part   // what the rows and columns were taken for, for people
	Missed []string // without a box: of each one looked for, how far it got
}

// Token is a collapsed paste as it stands in the box.
type Token struct {
	Text     string // "[Pasted text #1 +39 lines]"
	Newlines int    // -1 where the token does not say
	Chars    int    // -1 where the token does not say
	Head     string // how its text begins, if the token says so
}

// Submit is how the CLI takes a prompt.
type Submit struct {
	Key         string            // submits when idle, and queues while working if Keeps
	Before      map[string]string // keys of versions before the one named; see SubmitKey
	Working     map[string]string // the same, for while it works, where that is another
	Keeps       bool              // what is submitted while it works is kept by the CLI
	Settle      time.Duration     // from own text seen in the box to the key
	AgainAfter  time.Duration     // own text still there this long after the key: one more; 0 = never
	AgainSource string            // measurement
}

// Clear is how a text is taken out of the box again. With no key nothing is.
type Clear struct {
	Key   string // takes the end of what stands before the cursor, a row or a line at a time
	Seen  string // versions on which that was measured, and the date
	Since string // first version in which it does; no limit if empty
}

// Paste is what the CLI does to a long paste.
type Paste struct {
	// A text with at least Newlines newlines, or more than Chars characters
	// counted in Unit ("rune", "utf16" or "byte"), collapses. 0 = never by that.
	Newlines int
	Chars    int
	Unit     string
	Limit    int  // more characters than this are not typed; 0 = no limit of the CLI's own
	OneLine  bool // nor is a text with a newline
}

// Text is what the CLI changes in a submitted text, so that proof can allow
// for exactly that.
type Text struct {
	Trim      bool      // white space at both ends
	Tabs      int       // a tab becomes this many spaces; 0 = kept
	NFC       bool      // normalised to NFC
	Strip     []string  // taken out before it is typed: the CLI would stop at them
	Invisible bool      // the CLI takes out invisible characters where it sees fit
	Unwrap    []Pattern // what the CLI puts around a collapsed paste in its record
	Joins     string    // what it puts between prompts of its queue that go out as one
}

// Process is how a running process is known to be this CLI.
type Process struct {
	Exe       []string  // base names of the executable
	Argv      []Pattern // or: the whole command line, joined by blanks, matches
	Not       []Pattern // but not if one of these matches
	ConfigEnv string    // environment variable that names the config folder
	ConfigDir string    // else this, with ~ for the process's own HOME
}

// Source is one way from a process to its transcript file.
type Source struct {
	By   string // "pidfile", "fd" or "recent"
	File string // pidfile: path with {config} {pid}; a JSON object. fd: the record's name beside the open file
	Key  string // pidfile: the member that holds the session id
	Path string // glob with {config} {session} {cwd}; fd: what an open file's path must match
}

// Transcript is where the CLI's own record stands and which lines of it hold a
// prompt that has reached the conversation. What the agent said is found by a
// rule that all records share (package transcript); the rest declares what a
// CLI does beyond it.
type Transcript struct {
	Sources []Source
	Prompts []Prompt
	Queued  []Prompt // lines that only say that the CLI holds the prompt
	Said    []Prompt // what the agent said, where the common rule does not find it
	Skip    []Prompt // lines that are no part of the conversation itself
	Starts  []Prompt // lines that begin a turn, where every turn has one
	Ends    []Ending
	Reply   Reply
}

// Prompt picks one kind of line: every Where member (dotted path) must equal
// its value, and Text is the dotted path of its text: a string, or a list of
// blocks whose text members are joined. Where there is a Pattern, the text
// must match it too.
type Prompt struct {
	Where   map[string]string
	Text    string
	Pattern Pattern
	Steers  bool // it goes into the turn that runs
	Joins   bool // right behind another prompt it is answered together with that
}

// Ending picks lines that end a turn.
type Ending struct {
	Prompt
	How End
}

// Reply names dotted paths of members by which the lines of an answer hang
// together; "" where the CLI has none.
type Reply struct {
	ID     string // of a line, and of the line that it follows: a prompt that
	Parent string // follows a line from before ours leaves ours behind
	Turn   string // prompts with the same are in one turn
	Joins  string // lines with the same are pieces of one message,
	Glue   string // with this between them
	Newest string // of lines with the same only the newest counts
}

// End is how a turn ended, as the CLI's record says.
type End string

const (
	Done    End = "done"
	Stopped End = "stopped" // a person interrupted it
	Failed  End = "failed"  // by an error of the CLI's or its model's
)

// StateFile is a file in which the CLI says whose move it is.
type StateFile struct {
	File  string // path with {config} and {pid}: one JSON object
	Start string // the member that holds the process's start time: such a file can outlive its process
	Turns []FileTurn
}

// FileTurn is what one state of such a file means: its members are as Where says.
type FileTurn struct {
	Where map[string]string
	Is    Turn
}

// Sender is how a command that the CLI's shared daemon runs names its session.
type Sender struct {
	Env    string  // environment variable that holds the session id
	Daemon Pattern // an ancestor's command line must match
}
