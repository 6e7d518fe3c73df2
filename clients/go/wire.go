package holdfast

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"mime"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

const (
	firstPause   = 50 * time.Millisecond
	longestPause = time.Second
	// leastPatience is what every try is given: a new connection takes several round trips.
	leastPatience = 250 * time.Millisecond
	shortPause    = 100 * time.Millisecond
	latePause     = 5 * time.Second
	// largestAnswer is far more than what a server says about as many leases as one request has.
	largestAnswer = 16 << 20
)

// wire brings requests to the servers. The one that answered last is asked first; one that fails is followed by the next, until
// the deadline of the request. All requests may be sent twice, since they carry the lease id they are about.
type wire struct {
	servers   []string
	token     string
	http      *http.Client
	preferred atomic.Int64
}

// ask is a request, and how long to try.
type ask struct {
	what     string // for messages
	path     string
	body     []byte
	deadline time.Time     // until when failures are bridged
	hold     time.Duration // how long the server may take before it answers, besides the time any answer takes
	patience time.Duration // of one try; a line that went silent is then given up for a new one
}

// reply is an answer about the lock: a success, or a refusal with a code of ours.
type reply struct {
	answer
	status  int
	header  http.Header
	sent    time.Time // when the try that was answered began
	doubted bool      // an earlier try may have been carried out
}

// send gives the answer, an *Error, or the error of the context.
func (w *wire) send(ctx context.Context, a ask) (*reply, error) {
	doubt, untrusted := false, 0
	var last error = errors.New("the time was up before it could be asked")
	for tries := 1; ; tries++ {
		left := time.Until(a.deadline)
		if left <= 0 {
			return nil, gaveUp(a, tries-1, doubt, last)
		}
		index := w.preferred.Load()
		server := w.servers[index]
		got, arrived, err := w.try(ctx, server, a, w.share(a, left))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var pause time.Duration
		switch {
		case err != nil:
			doubt = doubt || arrived
			untrusted++
			if !isUntrusted(err) {
				untrusted = 0
			}
			if untrusted >= len(w.servers) {
				return nil, failed("store-unusable", err, "No safe connection to %s: %v. Check the certificate of the server, and"+
					" which ones are trusted here (CAFile)", server, err)
			}
			last = fmt.Errorf("%s: %w", server, err)
			if tries%len(w.servers) == 0 {
				pause = backOff(tries / len(w.servers))
			}
		default:
			verdict := judge(server, a, got)
			if verdict.failure != nil {
				return nil, verdict.failure
			}
			if verdict.answered {
				got.doubted = doubt
				return got, nil
			}
			doubt, untrusted = doubt || verdict.doubt, 0
			last = fmt.Errorf("%s: %s", server, got.describe())
			if tries%len(w.servers) == 0 {
				pause = verdict.pause
			}
		}
		w.preferred.CompareAndSwap(index, (index+1)%int64(len(w.servers))) // the others ask the next, too
		if time.Until(a.deadline) <= pause {
			return nil, gaveUp(a, tries, doubt, last)
		}
		if err := sleep(ctx, pause); err != nil {
			return nil, err
		}
	}
}

// share is what one try is given: several servers share the time.
func (w *wire) share(a ask, left time.Duration) time.Duration {
	if a.hold > 0 {
		return a.hold + a.patience // it is answered when its time is up, and that may take a moment too
	}
	if len(w.servers) > 1 {
		left /= 2
	}
	return longer(leastPatience, shorter(left, a.patience))
}

// try sends it once; arrived tells whether the server may have seen it although there is an error.
func (w *wire) try(ctx context.Context, server string, a ask, within time.Duration) (got *reply, arrived bool, err error) {
	var connected atomic.Bool
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, server+a.path, bytes.NewReader(a.body))
	if err != nil {
		return nil, false, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "holdfast-go")
	if w.token != "" {
		request.Header.Set("Authorization", "Bearer "+w.token)
	}
	got = &reply{sent: time.Now()}
	response, err := w.http.Do(request)
	if err != nil {
		return nil, connected.Load(), err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, largestAnswer))
	if err != nil {
		return nil, true, err
	}
	got.status, got.header = response.StatusCode, response.Header
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if strings.HasSuffix(kind, "json") && json.Unmarshal(text, &got.answer) != nil {
		got.answer = answer{} // not what a server of ours says
	}
	return got, true, nil
}

// verdict is what an answer means for the request: an answer about the lock, a failure for good, or a reason to try again.
type verdict struct {
	answered bool
	failure  error
	doubt    bool // it may have been carried out though it is tried again
	pause    time.Duration
}

func judge(server string, a ask, got *reply) verdict {
	// A proxy may say 409 or 423 too, for reasons of its own: only with a code of ours is it about the lock.
	ours := got.Code != ""
	switch {
	case ours && (got.status == 409 || got.status == 423 || got.Code == "too-many-waiters"):
		return verdict{answered: true}
	case got.status == 200 || got.status == 202:
		return verdict{answered: true}
	case got.Code == "store-unusable":
		return verdict{failure: got.failure("store-unusable")}
	case got.status == 429 || got.status == 503:
		return verdict{doubt: got.Code == "outcome-unknown", pause: got.pause()}
	case got.status == 500 || got.status == 502 || got.status == 504:
		return verdict{doubt: true, pause: shortPause}
	case ours && (got.status == 401 || got.status == 403):
		return verdict{failure: got.failure("access-refused")}
	case ours && (got.status == 400 || got.status == 413 || got.status == 415 || got.status == 422):
		return verdict{failure: got.failure("invalid-request")}
	case ours && got.status == 421: // it goes by another name
		return verdict{failure: got.failure("store-unusable")}
	default:
		return verdict{failure: strange(server, a, got)}
	}
}

// strange is for answers that no server of ours would give.
func strange(server string, a ask, got *reply) error {
	e := failed("store-unusable", nil, "%s answered %d to %s, but not as a Holdfast server does; is this the address of one, of this"+
		" version or newer?", server, got.status, a.what)
	e.Status = got.status
	return e
}

func (r *reply) describe() string {
	if r.Detail != "" {
		return r.Detail
	}
	return fmt.Sprintf("status %d", r.status)
}

func (r *reply) pause() time.Duration {
	seconds, err := strconv.Atoi(r.header.Get("Retry-After"))
	if err != nil {
		seconds = 0
	}
	return longer(shortPause, shorter(latePause, time.Duration(seconds)*time.Second))
}

func gaveUp(a ask, tries int, doubt bool, last error) error {
	if doubt {
		return failed("outcome-unknown", last, "No Holdfast server answered %s (%d tries; %v). It may or may not have been done: check"+
			" before relying on either", a.what, tries, last)
	}
	return failed("store-unavailable", last, "No Holdfast server answered %s (%d tries; %v). Nothing was changed. Check the address,"+
		" and whether it runs", a.what, tries, last)
}

// isUntrusted tells whether one side did not accept the other when the connection was to be secured.
func isUntrusted(err error) bool {
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var noTLS tls.RecordHeaderError
	return errors.As(err, &authority) || errors.As(err, &name) || errors.As(err, &invalid) || errors.As(err, &noTLS) ||
		strings.Contains(err.Error(), "remote error: tls:") ||
		strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")
}

func backOff(cycles int) time.Duration {
	pause := shorter(longestPause, firstPause<<uint(smaller(cycles, 5)))
	return pause - time.Duration(rand.Int63n(int64(pause/2)))
}

func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

func shorter(a, b time.Duration) time.Duration {
	if a < b {
		return a
	}
	return b
}

func smaller(a, b int) int {
	if a < b {
		return a
	}
	return b
}

func millis(count int64) time.Duration { return time.Duration(count) * time.Millisecond }

func longer(a, b time.Duration) time.Duration {
	if a > b {
		return a
	}
	return b
}
