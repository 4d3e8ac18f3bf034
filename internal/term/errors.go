package term

import "errors"

var (
	// ErrNoPane: the pane, or its whole server, is not there.
	ErrNoPane = errors.New("no such pane")
	// ErrLocked: another writer held the target for as long as we would wait.
	ErrLocked = errors.New("another sender holds the target")
)
