package term

import "errors"

// ErrNoPane: the pane, or its whole server, is not there.
var ErrNoPane = errors.New("no such pane")
