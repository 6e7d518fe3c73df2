package holdfast

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"
)

const (
	// longestPark is shorter than the patience of what stands between: proxies, firewalls.
	longestPark  = 20 * time.Second
	shortestPark = time.Second
	// firstPark soon tells the place of somebody who wants to know it.
	firstPark = 300 * time.Millisecond
	// clockDrift is the part of a time on the server's clock by which ours may differ.
	clockDrift = 200
	// never is later than any wait ends.
	never = 100 * 365 * 24 * time.Hour
)

// asking is one acquisition: one request, or one after the other while it waits. Each has the same lease id, so that the place in the
// queue is kept between them, at whichever server they arrive, and nothing is granted twice.
type asking struct {
	client  *Client
	lock    Lock
	key     key
	id      string
	waits   bool
	end     time.Time // of the wait, or of trying
	asked   bool
	busy    error // who was in the way when it last heard
	failure error // why it has not heard since; a wait that ends so ends in a failure, not in an answer
}

// grant is what was granted, and from when its lease counts.
type grant struct {
	id    string
	token int64
	lease time.Duration
	since time.Time
}

func (c *Client) acquire(ctx context.Context, lock Lock) (*Lease, error) {
	if !c.begin() {
		return nil, c.closedError()
	}
	defer c.work.Done()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	a := c.asking(lock)
	either, cancel := context.WithCancel(ctx) // or Close
	defer cancel()
	go func() {
		select {
		case <-c.life.Done():
			cancel()
		case <-either.Done():
		}
	}()
	granted, err := a.run(either)
	mine := leaseBody{key: a.key, LeaseID: a.id, Unused: true} // nobody was told of it
	switch {
	case err == nil:
		if lease := c.beat.keep(ctx, a, granted); lease != nil {
			return lease, nil
		}
		c.tidy(mine)
		return nil, c.closedError()
	case c.life.Err() != nil:
		c.tidy(mine)
		return nil, c.closedError()
	case ctx.Err() != nil: // whoever goes away does so at once
		c.tidy(mine)
		return nil, a.ended(ctx.Err())
	case a.waits && errors.Is(err, ErrLockBusy):
		_, _ = c.release(mine, tidyWithin) // the place is given up before that is told; if that fails, it ends by itself
	case a.waits || errors.Is(err, ErrOutcomeUnknown):
		c.tidy(mine)
	}
	return nil, err
}

func (c *Client) asking(lock Lock) *asking {
	if lock.Namespace == "" {
		lock.Namespace = c.config.Namespace
	}
	if lock.Owner == "" {
		lock.Owner = c.config.Owner
	}
	if lock.Lease == 0 {
		lock.Lease = defaultLease
	}
	a := &asking{client: c, lock: lock, key: key{lock.Namespace, lock.Name}, id: newID(), waits: lock.Wait > 0}
	a.end = time.Now().Add(c.config.Timeout)
	if a.waits {
		a.end = time.Now().Add(shorter(lock.Wait, never))
	}
	return a
}

// ended is what the end of the caller's context means.
func (a *asking) ended(cause error) error {
	known := a.busy
	if a.failure != nil {
		known = a.failure
	}
	var said *Error
	if !errors.Is(cause, context.DeadlineExceeded) || !errors.As(known, &said) {
		return cause
	}
	both := *said
	both.cause = cause
	return &both
}

// run asks until there is an answer, time is up, or trying again does not help.
func (a *asking) run(ctx context.Context) (*grant, error) {
	for {
		park := a.park()
		if over := time.Until(a.end) <= 0; a.asked && (a.waits && park <= 0 || over && a.failure != nil) {
			if a.failure != nil {
				return nil, a.failure
			}
			return nil, a.busy
		}
		a.asked = true
		request := a.request(longer(park, 0))
		got, err := a.client.wire.send(ctx, request)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		switch {
		case err != nil:
			if a.isTooLong(err, park) {
				continue
			}
			if !a.waits || !mayHeal(err) {
				return nil, err
			}
			a.failure = err // told when time is up, and then the place is given up too
		case got.status == 200 && got.Token > 0 && got.LeaseMs > 0:
			granted := a.granted(got)
			if believed(granted.until(), time.Now()) {
				return granted, nil
			}
			_, _ = a.client.release(leaseBody{key: a.key, LeaseID: a.id, Lost: true}, tidyWithin) // or it would be in our own way
			a.again("paused")
		case got.status == 202 && a.waits && got.Position > 0:
			a.queued(got)
			if time.Since(got.sent) >= park/2 {
				continue // at once, since the place is kept only for a while
			}
		case got.Code == "lease-lost": // granted, but the answer was lost on the way, or came too late
			a.again(got.Reason)
		case got.Code == "lease-id-reused":
			return nil, got.failure("lease-lost")
		case got.Code != "":
			return nil, got.failure("lock-busy")
		default:
			return nil, strange(a.client.wire.servers[0], request, got)
		}
		if err := sleep(ctx, shortPause); err != nil {
			return nil, err
		}
	}
}

// park is how long the next request may wait at the server.
func (a *asking) park() time.Duration {
	if !a.waits {
		return 0
	}
	left := time.Until(a.end)
	if !a.asked { // that it is busy is told only by the server
		left = longer(left, time.Millisecond)
		if a.lock.OnQueued != nil {
			left = shorter(left, firstPark)
		}
	}
	return shorter(left, time.Duration(a.client.park.Load())).Truncate(time.Millisecond)
}

func (a *asking) request(park time.Duration) ask {
	body := acquireBody{key: a.key, Path: a.lock.Path, Paths: a.lock.Paths, Mode: a.lock.Mode, Limit: a.lock.Limit, Owner: a.lock.Owner,
		LeaseID: a.id, LeaseMs: a.lock.Lease.Milliseconds(), MinHold: a.lock.MinHold.Milliseconds(), WaitMs: park.Milliseconds(),
		Metadata: a.lock.Metadata, Reason: a.lock.Reason}
	if !a.lock.NoRenew {
		body.Renewal = renewal(a.lock.Lease).Milliseconds()
	}
	deadline := a.end
	if a.waits { // a failure is bridged for as long as this request may take; then the next one is sent
		deadline = time.Now().Add(longer(shorter(park, time.Until(a.end)), leastPatience))
	}
	return ask{what: "the request for " + a.key.String(), path: "/v2/locks/acquire", body: encoded(body), deadline: deadline,
		hold: park, patience: a.client.config.Timeout}
}

// isTooLong tells whether this server is set to let requests wait for less; they are shorter from now on.
func (a *asking) isTooLong(err error, park time.Duration) bool {
	known := a.client.park.Load()
	if !errors.Is(err, ErrInvalidRequest) || !strings.Contains(err.Error(), "wait_ms") || park <= shortestPark {
		return false
	}
	a.client.park.CompareAndSwap(known, int64(longer(park/2, shortestPark)))
	return true
}

func mayHeal(err error) bool {
	return errors.Is(err, ErrStoreUnavailable) || errors.Is(err, ErrOutcomeUnknown)
}

// granted counts the lease from when it was decided: not before the request was sent, and so much later. The server counts how
// much on its own clock, which may be faster.
func (a *asking) granted(got *reply) *grant {
	waited, err := strconv.ParseInt(got.header.Get("Lease-Waited-Ms"), 10, 64)
	if err != nil {
		waited = 0 // then it counts from before it was sent, and ends sooner
	}
	later := millis(waited)
	if later > 0 {
		later -= later / clockDrift
	}
	return &grant{id: a.id, token: got.Token, lease: millis(got.LeaseMs), since: got.sent.Add(later)}
}

func (a *asking) queued(got *reply) {
	busy := got.failure("lock-busy")
	busy.Code, busy.QueueLength = "held", got.Position
	busy.Detail = a.key.String() + " was not free in time; it is held by " + owners(got.Holders)
	a.busy, a.failure = busy, nil
	if a.lock.OnQueued != nil {
		a.lock.OnQueued(got.Position, got.Holders)
	}
}

func owners(holders []Holder) string {
	if len(holders) == 0 {
		return "nobody now, but reserved for those who wait"
	}
	var names []string
	for _, holder := range holders {
		names = append(names, "'"+holder.Owner+"'")
	}
	return strings.Join(names, ", ")
}

// again asks for a new acquisition: nobody was told of the one that ended.
func (a *asking) again(reason string) {
	a.failure = failed("store-unavailable", nil, "%s was granted, but that was not heard in time (%s)", a.key, reason)
	a.id = newID()
}
