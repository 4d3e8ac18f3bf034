// Package inbox keeps everything that is known about one recipient's messages
// in one file that is only ever appended to:
//
//	teams/<team>/inbox/<name>.jsonl
//
// # Format
//
// One JSON object a line. The first line is {"kind":"inbox","v":1,…}. Every
// later line is one record:
//
//	kind     "message", "attempt", "receipt" or "fact"
//	id       the message that it is about
//	at       when it was written; never before the record above it
//	offset   where this line begins, in bytes from the start of the file
//	prev     where the previous record about the same message begins
//	state    what became of the message by this record: {tried, outcome, settled, read}
//	book     what stands open and unread in the whole inbox after this record
//	message, attempt, receipt or fact: the record itself, as in package parley
//
// and a message has also
//
//	sum      hash of sender, body, mailbox and reply_to: finds an identical one
//	same     where to look on for other sums (only where book.rest is not 0)
//	key_sum  hash of its key
//	keys     where to look on for other keys
//
// Unknown fields and unknown kinds are kept, because nothing is ever
// rewritten, and ignored. A line counts if it ends in a newline and is one
// JSON object; anything else is skipped.
//
// # One write, and a torn tail
//
// A record is one write under a lock, then one fsync. The lock is a flock on
// the inbox file itself: the file is never renamed or replaced, so that no
// second file is needed that could be missing, stale or left behind, and the
// kernel drops the lock with its process. Reading takes no lock.
//
// A write that a crash or a full disk cut short leaves bytes without a final
// newline. They are never edited: the next append closes them with " <torn>"
// and a newline, which makes them invalid JSON even where only the newline was
// missing, so that what was skipped before stays skipped. book.torn counts
// these lines and torn_at is the last one's offset.
//
// # Nothing needs a scan
//
// The last record's book says what stands open and unread:
//
//	last     offset of the newest message
//	open     how many messages are open
//	opens    the oldest of them, oldest first: [offset, offset of its last record,
//	         first 32 bits of its sum]
//	rest     0, or the offset from which on open messages may stand that are not in opens
//	same     head of the trie of sums among the messages at or behind rest
//	unread   how many messages the recipient has not pulled
//	oldest   offset of the oldest of them
//	keys     head of the trie of keys
//
// Appending a record changes a few numbers in the book before it. One old open
// message with a million closed ones behind it costs one entry in opens, and
// its records are found backwards by prev. A backlog of more than 32 fills
// rest; only when opens has run empty is the file read from rest on, once for
// 32 messages. Everything in the book can be rebuilt by reading the file from
// the start, and is (Check, or an append) when a record's offset shows that
// someone has edited the file: from then on book.edited is true and look-ups
// that went by old offsets scan instead.
//
// # Keys
//
// "The same key is the same message" holds for all time, at a cost that must
// not grow with the inbox. An index in a file of its own would need a second
// fsync for each message or a repair after each crash. So the index is part of
// the messages: a binary trie by the bits of the key's hash that is shared
// from record to record. keys[i] of a message is the offset of the newest
// earlier message whose hash has the same first i bits as this one's and a
// different bit i. A look-up goes from the head (the newest keyed message) to
// keys[i] at the first differing bit i, and on from there: about ten records
// read for a million keys. It is written by the same write as the message,
// so that the two cannot disagree.
package inbox
