package holdfast

import (
	"fmt"
	"time"
)

// Error says what a server refused, or what kept a request from being answered. Tell them apart with
// errors.Is(err, holdfast.ErrLockBusy) and its like, or by Code.
type Error struct {
	Name        string        // of ErrLockBusy and its like, the same in all clients
	Code        string        // what docs/REST.md calls it, such as held, forbidden or too-many-waiters; else the Name
	Status      int           // of the answer; 0 if there was none
	Detail      string        // what happened, to which lock, and what to do
	RequestID   string        // to look for in the log of the server
	Reason      string        // why a lease ended, with ErrLeaseLost: expired, forced, store_unreachable, paused, closed …
	Errors      []string      // everything that is wrong with a request, if it is more than one thing
	RetryAfter  time.Duration // when asking again makes sense, if the server says so
	Holders     []Holder      // who is in the way, with ErrLockBusy
	QueueLength int           // how many wait, with ErrLockBusy

	cause error
}

// What can go wrong. A lock that is busy is never reported as another of these, nor the other way round.
var (
	ErrLockBusy         error = &Error{Name: "lock-busy"}         // others have it, or are ahead in the queue
	ErrLeaseLost        error = &Error{Name: "lease-lost"}        // it was held and is not any more: stop working
	ErrInvalidRequest   error = &Error{Name: "invalid-request"}   // a value is out of bounds, see Detail; nothing was changed
	ErrAccessRefused    error = &Error{Name: "access-refused"}    // the server does not know you, or does not allow this
	ErrStoreUnavailable error = &Error{Name: "store-unavailable"} // no server could do it in time; nothing was changed
	ErrOutcomeUnknown   error = &Error{Name: "outcome-unknown"}   // no answer, and it may have been done
	ErrStoreUnusable    error = &Error{Name: "store-unusable"}    // trying again does not help, see Detail
	ErrClientClosed     error = &Error{Name: "client-closed"}     // Close was called, perhaps while the call waited
)

func (e *Error) Error() string {
	if e.Detail == "" {
		return "holdfast: " + e.Name
	}
	return "holdfast: " + e.Detail + " (" + e.Code + ")"
}

// Unwrap gives the error of the context or of the network behind it, if there is one.
func (e *Error) Unwrap() error { return e.cause }

// Is compares with ErrLockBusy and its like.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.Code == "" && other.Name == e.Name
}

// Holder is somebody who holds a lock, as others see it.
type Holder struct {
	Owner     string            `json:"owner"`
	Path      string            `json:"path"`
	Mode      string            `json:"mode"`
	Token     int64             `json:"fencing_token"`
	GrantedAt time.Time         `json:"granted_at"`
	ExpiresAt *time.Time        `json:"expires_at"` // nil: never
	Stale     bool              `json:"stale"`
	Metadata  map[string]string `json:"metadata"`
	Reason    string            `json:"reason"`
}

func failed(name string, cause error, format string, values ...any) *Error {
	return &Error{Name: name, Code: name, cause: cause, Detail: fmt.Sprintf(format, values...)}
}

func lost(k key, reason string) *Error {
	e := failed("lease-lost", nil, "%s is not held any more (%s): stop working, somebody else may have it", k, reason)
	e.Reason = reason
	return e
}

// failure is a refusal by the server, in its own words.
func (r *reply) failure(name string) *Error {
	return &Error{Name: name, Code: r.Code, Status: r.status, Detail: r.Detail, RequestID: r.RequestID, Reason: r.Reason,
		Errors: r.Errors, RetryAfter: millis(r.RetryAfterMs), Holders: r.Holders, QueueLength: r.QueueLength}
}
