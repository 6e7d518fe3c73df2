package holdfast

import (
	"context"
	"sync"
	"time"
)

const (
	// margin is the part of a lease its holder does not rely on: it covers the drift of its clock against the server's.
	margin = 200
	// leastMargin is for short leases: a check and the act it guards are not the same instant.
	leastMargin = 2 * time.Millisecond
)

// Lease is a lock that is held. It is renewed until it is released or lost. It counts from before the last request that was answered
// well was sent, minus a margin, so it is lost here before anybody else is granted the lock (a force-unlock excepted). Between a check
// and what it guards a process can be paused for any time: let what you write to compare the Token. Safe for any goroutine.
type Lease struct {
	client  *Client
	key     key
	id      string
	token   int64
	renews  bool
	ctx     context.Context
	end     context.CancelFunc
	release sync.Once
	result  error // of the release

	// Below: guarded by the mutex of the heartbeat.
	length   time.Duration
	until    time.Time // the local deadline
	due      time.Time // when it is renewed next
	renewing bool
	failing  bool
	released bool
	lost     *Error
	onLost   []func(*Error)
}

// Token is above that of every earlier holder, for ever. Send it with what you write, and let the other side refuse a lower one.
func (l *Lease) Token() int64 { return l.token }

// ID names this acquisition: whoever knows it can release it. Keep it to yourself.
func (l *Lease) ID() string { return l.id }

// Name is the name of the lock.
func (l *Lease) Name() string { return l.key.Name }

// Namespace is where the lock is.
func (l *Lease) Namespace() string { return l.key.Namespace }

// Context ends when the lease is lost or released, or when the context ends that it was acquired with. Give it to all that the lock
// protects.
func (l *Lease) Context() context.Context { return l.ctx }

// Valid tells whether the lock is certainly still held. Once it is not, it never is again.
func (l *Lease) Valid() bool { return l.Remaining() > 0 }

// Remaining is how long the lock is certainly held if no renewal succeeds; zero if it is not.
func (l *Lease) Remaining() time.Duration { return l.client.beat.remaining(l) }

// Err is nil while the lock is held and after its release, and an *Error that is ErrLeaseLost, with the Reason, once it is lost.
func (l *Lease) Err() error {
	l.client.beat.remaining(l) // a deadline that has just passed counts
	return l.client.beat.lostFor(l)
}

// OnLost calls the function once, in a goroutine of its own, if the lease is lost, also if it is already; never after a release. It is
// called at the local deadline, or as soon as a server says that the lease is over.
func (l *Lease) OnLost(tell func(*Error)) { l.client.beat.onLost(l, tell) }

// Release gives the lock back and ends the Context. Nil: the lock was held until now. ErrLeaseLost: it had been lost before, so somebody
// else may have held it meanwhile. Another Error: no server answered, and the lease ends by itself. Later calls return the same.
func (l *Lease) Release() error {
	l.release.Do(func() {
		err := l.client.beat.released(l)
		l.end() // nothing may go on under a lock that is given back
		if err == nil {
			err = l.giveBack()
		}
		l.result = err
	})
	return l.result
}

func (l *Lease) giveBack() error {
	if l.client.begin() { // then Close waits for it
		defer l.client.work.Done()
	}
	got, err := l.client.release(leaseBody{key: l.key, LeaseID: l.id}, l.client.config.Timeout)
	if err != nil {
		return err
	}
	switch said := got.Results[0]; said.Outcome {
	case "released":
		return nil
	case "not_held":
		if got.doubted && said.Reason == "released" {
			return nil // by the same request, whose answer did not come
		}
		return lost(l.key, orUnknown(said.Reason))
	default:
		return failed("outcome-unknown", nil, "the server does not know whether %s was released: %s", l.key, said.Reason)
	}
}

func orUnknown(reason string) string {
	if reason == "" {
		return "unknown"
	}
	return reason
}

// until is the local deadline of what was granted.
func (g *grant) until() time.Time { return deadline(g.since, g.lease) }

func deadline(since time.Time, lease time.Duration) time.Time {
	return since.Add(lease - longer(lease/margin, leastMargin))
}

// believed tells whether a deadline has not passed, on the monotonic clock and on the wall clock: one of them stands still while a
// machine sleeps, the other can be set.
func believed(until, now time.Time) bool {
	return now.Before(until) && now.Round(0).Before(until.Round(0))
}

// renewal is how often a lease is renewed.
func renewal(lease time.Duration) time.Duration { return shorter(lease/3, longestRenewal) }
