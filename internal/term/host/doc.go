// Package host looks at parley's own PTY hosts and types into them by
// compare-and-paste, as package tmux does with tmux. Package serve below it is
// the other end.
//
// A host is one process that owns the pseudo-terminal of one agent. It listens
// on a socket, mode 0600, in the state folder's run folder, and takes in nobody
// but processes of its own user. What goes over the socket are frames:
//
//	length  4 bytes, big-endian: of all that follows
//	kind    1 byte
//	payload JSON, or bytes where the table says so
//
// A connection begins with Hello, to which the host answers About. Hello names
// the version of the protocol; a host that speaks another one says so in About
// and hangs up. New kinds may come, and members in JSON; both ends pass over
// what they do not know.
//
//	who     kind  payload         answer  what
//	any     'H'   Hello           'H'     About
//	look    'L'                   'S'     Picture: a JSON line, then the cells (screen.Append)
//	type    'P'   Paste           'A'     Answer
//	type    'K'   Press           'A'     Answer
//	type    'Q'                   'A'     hold a person's keys from now on
//	type    'R'                   'A'     let them go
//	view    'I'   bytes                   a person's keys
//	view    'Z'   Size                    the viewer's size
//	view    'F'                           go on, if it was stopped (Ctrl+Z, fg)
//	view    'O'   bytes (from the host)   what the agent wrote
//	view    'U'                   'U'     bytes: what undoes its modes on a terminal
//	view    'T'   (from the host)         it has stopped itself
//	view    'X'   Ended (from the host)   it has ended; nothing follows
//	manage  'E'   End             'A'     end it, or start it anew
//
// A connection that types carries the descriptor of the target's lock (a flock
// on the agent's terminal, see term.Lock) with its Hello. The host keeps it
// until it has read the connection to its end: the lock of a killed sender is
// free only when nothing of it can be typed any more. Without a lock that is
// held, nothing is typed.
package host
