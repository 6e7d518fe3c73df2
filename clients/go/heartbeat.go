package holdfast

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	// maxBatch leases with the longest names fit into the four megabytes that a server takes.
	maxBatch = 1500
	// retryLeast is between a renewal that failed and the next.
	retryLeast = 10 * time.Millisecond
	// latestLook is when the timer looks at the clocks again, whatever is due: one of them may have been set.
	latestLook = time.Hour
)

// heartbeat renews all leases of a client, those that are due with those that soon will be in one request, and tells the holders of
// those that cannot be renewed in time.
type heartbeat struct {
	client *Client

	mu     sync.Mutex
	held   map[*Lease]struct{}
	timer  *time.Timer
	closed bool
}

func newHeartbeat(client *Client) *heartbeat {
	h := &heartbeat{client: client, held: map[*Lease]struct{}{}}
	h.timer = time.AfterFunc(latestLook, h.tick)
	h.timer.Stop()
	return h
}

// keep makes a lease of what was granted; nil if the client is closed.
func (h *heartbeat) keep(ctx context.Context, a *asking, granted *grant) *Lease {
	l := &Lease{client: h.client, key: a.key, id: granted.id, token: granted.token, renews: !a.lock.NoRenew, length: granted.lease,
		until: granted.until(), due: granted.since.Add(renewal(granted.lease))}
	l.ctx, l.end = context.WithCancel(ctx)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		l.end()
		return nil
	}
	h.held[l] = struct{}{}
	h.schedule(time.Now())
	return l
}

// ---- what holders ask

func (h *heartbeat) remaining(l *Lease) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	if !h.look(l, now) {
		return 0
	}
	return shorter(l.until.Sub(now), l.until.Round(0).Sub(now.Round(0)))
}

func (h *heartbeat) lostFor(l *Lease) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if l.lost == nil {
		return nil
	}
	return l.lost
}

func (h *heartbeat) onLost(l *Lease, tell func(*Error)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case l.lost != nil:
		go tell(l.lost)
	case !l.released:
		l.onLost = append(l.onLost, tell)
	}
}

// released stops renewing; an error if it was lost before.
func (h *heartbeat) released(l *Lease) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.look(l, time.Now()) {
		return l.lost
	}
	l.released = true
	delete(h.held, l)
	return nil
}

// ---- under the mutex

// look tells whether the lease is held, and loses it if its deadline has passed.
func (h *heartbeat) look(l *Lease, now time.Time) bool {
	if l.released || l.lost != nil {
		return false
	}
	if believed(l.until, now) {
		return true
	}
	switch {
	case !l.renews:
		h.lose(l, "expired") // at the server as well, by itself
	case l.renewing || l.failing:
		h.lose(l, "store_unreachable")
		h.giveBack(l)
	default:
		h.lose(l, "paused")
		h.giveBack(l)
	}
	return false
}

// lose ends the lease here, once.
func (h *heartbeat) lose(l *Lease, reason string) {
	l.lost = lost(l.key, reason)
	delete(h.held, l)
	l.end()
	for _, tell := range l.onLost {
		go tell(l.lost)
	}
	l.onLost = nil
}

// giveBack tells the server of a lease that was lost here and may still be held there.
func (h *heartbeat) giveBack(l *Lease) {
	if h.client.begin() {
		h.client.tidy(leaseBody{key: l.key, LeaseID: l.id, Lost: true})
		h.client.work.Done()
	}
}

func (h *heartbeat) schedule(now time.Time) {
	next := now.Add(latestLook)
	for l := range h.held {
		at := l.until
		if l.renews && !l.renewing && l.due.Before(at) {
			at = l.due
		}
		if at.Before(next) {
			next = at
		}
	}
	if len(h.held) == 0 {
		h.timer.Stop()
	} else {
		h.timer.Reset(longer(next.Sub(now), 0))
	}
}

// ---- renewing

func (h *heartbeat) tick() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	now := time.Now()
	var due []*Lease
	for l := range h.held {
		if h.look(l, now) && l.renews && !l.renewing && !l.due.After(now) {
			due = append(due, l)
		}
	}
	if len(due) > 0 {
		due = due[:0]
		for l := range h.held { // those whose turn comes within half of their interval come along
			if l.renews && !l.renewing && !l.due.After(now.Add(renewal(l.length)/2)) {
				l.renewing = true
				due = append(due, l)
			}
		}
	}
	for len(due) > 0 {
		some := due[:smaller(len(due), maxBatch)]
		due = due[len(some):]
		go h.renew(some, h.batch(some, now))
	}
	h.schedule(now)
}

// batch is the request that renews these.
func (h *heartbeat) batch(some []*Lease, now time.Time) ask {
	first, last := some[0].until, some[0].until
	var body []leaseBody
	for _, l := range some {
		body = append(body, leaseBody{key: l.key, LeaseID: l.id})
		if l.until.Before(first) {
			first = l.until
		}
		if l.until.After(last) {
			last = l.until
		}
	}
	return ask{what: "the renewal of leases", path: "/v2/locks/renew", body: leases(body...), deadline: last,
		patience: longer(leastPatience, first.Sub(now)/3)} // a try must leave time for another
}

func (h *heartbeat) renew(some []*Lease, a ask) {
	got, err := h.client.wire.send(h.client.life, a)
	refused := errors.Is(err, ErrAccessRefused) || errors.Is(err, ErrInvalidRequest)
	if refused && len(some) > 1 { // perhaps only because of one of them
		h.mu.Lock()
		defer h.mu.Unlock()
		now := time.Now()
		half := len(some) / 2
		for _, part := range [][]*Lease{some[:half], some[half:]} {
			go h.renew(part, h.batch(part, now))
		}
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	for i, l := range some {
		l.renewing, l.failing = false, true // whatever was said after the deadline came too late
		if !h.look(l, now) {
			continue
		}
		outcome := result{Outcome: "unknown"}
		if err == nil && i < len(got.Results) && got.Results[i].LeaseID == l.id {
			outcome = got.Results[i]
		}
		switch {
		case outcome.Outcome == "renewed" && outcome.LeaseMs > 0:
			l.failing = false
			l.length = millis(outcome.LeaseMs)
			if until := deadline(got.sent, l.length); until.After(l.until) {
				l.until = until
			}
			l.due = got.sent.Add(renewal(l.length))
		case outcome.Outcome == "lost":
			h.lose(l, orUnknown(outcome.Reason))
		default:
			l.due = now.Add(longer(retryLeast, l.until.Sub(now)/4))
		}
	}
	if !h.closed {
		h.schedule(now)
	}
}

// close loses what is still held: nobody renews it any more.
func (h *heartbeat) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	h.timer.Stop()
	for l := range h.held {
		h.lose(l, "closed")
	}
}
