// Package parley holds the words of the project: what is said, what was
// tried, and what can be proven about it. It imports nothing of ours, so that
// every other package can speak the same language.
//
// One message walks this way (WALK.md follows it byte by byte):
//
//	Post     save the Message in the recipient's inbox, fsync
//	Deliver  resolve, lock, look, Attempt record, paste, look, press, look
//	Receipt  what came of it: an Outcome, what was Touched, and the Evidence
package parley
