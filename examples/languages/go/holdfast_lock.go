// A Holdfast lock with Go's standard library. To try it: go run holdfast_lock.go NAME SECONDS
package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"
)

type object map[string]any

type answer struct {
	Code, Detail, Outcome string
	Position              int
	Holders               []struct{ Owner string }
	Token                 int64 `json:"fencing_token"`
	LeaseMs               int64 `json:"lease_ms"`
	Results               []answer
	status                int
	since                 time.Time // from when the lease counts; monotonic, as all that comes from time.Now()
}

var ErrLost = errors.New("lost, stopped working")

// WithLock runs work under the lock. When its context is done, the lock is lost or ctx is done: stop working.
func WithLock(ctx context.Context, name, reason string, lease time.Duration, work func(context.Context, int64) error) error {
	key := object{"namespace": "default", "name": name, "lease_id": newID()}
	tell := func(what string, limit time.Duration) answer {
		a := call(context.Background(), limit, what, object{"leases": []object{key}})
		if a.status != 200 {
			return answer{Outcome: "unknown"}
		}
		a.Results[0].since = a.since
		return a.Results[0]
	}
	release := func() { tell("release", 5*time.Second) } // leaves the queue, too; if it fails, the lease ends by itself

	host, _ := os.Hostname()
	var a answer
	for wait := 500; a.status != 200; wait = 20_000 { // soon says who is ahead of us; then waits longer
		a = call(ctx, 30*time.Second, "acquire", object{"namespace": key["namespace"], "name": name, "owner": "go@" + host,
			"reason": reason, "lease_id": key["lease_id"], "lease_ms": lease.Milliseconds(), "wait_ms": wait})
		switch {
		case ctx.Err() != nil:
			release()
			return ctx.Err()
		case a.status == 202: // whoever asks again within 15 seconds keeps the place
			fmt.Printf("waiting, place %d, behind %v\n", a.Position, a.Holders)
		case a.status == 409 && a.Code == "lease-lost": // it was granted, but the answer was lost on the way
			key["lease_id"] = newID()
		case a.status == 429 || a.status == 503: // busy, or out of reach: the same id asks for the same again
			fmt.Fprintln(os.Stderr, "trying again:", a.Detail)
			time.Sleep(time.Second)
		case a.status != 200:
			return errors.New(a.Detail)
		}
	}

	// The last sixth of the lease is for stopping: when it ends, nothing may run.
	left := func(a answer) time.Duration {
		return time.Until(a.since.Add(time.Duration(a.LeaseMs) * time.Millisecond * 5 / 6))
	}
	held, cancel := context.WithCancel(ctx)
	defer cancel()
	watchdog := time.AfterFunc(left(a), cancel) // ends the work whatever becomes of the renewals
	go func() {
		for pause := time.Duration(0); ; {
			select {
			case <-held.Done():
				return
			case <-time.After(pause):
			}
			r := tell("renew", lease/6)
			pause = lease / 20
			if r.Outcome == "renewed" && held.Err() == nil {
				watchdog.Reset(left(r))
				pause = lease / 3
			} else if r.Outcome == "lost" { // it expired, or an operator ended it
				cancel()
			}
		}
	}()
	err := work(held, a.Token)
	if held.Err() != nil && ctx.Err() == nil {
		return ErrLost
	}
	release()
	return err
}

func call(ctx context.Context, limit time.Duration, what string, body object) (a answer) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	text, _ := json.Marshal(body)
	url := env("HOLDFAST_SERVER", "http://127.0.0.1:8080") + "/v2/locks/" + what
	request, err := http.NewRequestWithContext(ctx, "POST", url, bytes.NewReader(text))
	if err != nil {
		return answer{status: 400, Detail: err.Error()}
	}
	request.Header.Set("Content-Type", "application/json")
	if token := env("HOLDFAST_TOKEN", ""); token != "" { // if the server wants one
		request.Header.Set("Authorization", "Bearer "+token)
	}
	sent := time.Now()
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{status: 503, Detail: err.Error()}
	}
	defer reply.Body.Close()
	if err := json.NewDecoder(reply.Body).Decode(&a); err != nil {
		return answer{status: 503, Detail: err.Error()}
	}
	waited, _ := strconv.Atoi(reply.Header.Get("Lease-Waited-Ms"))
	a.status, a.since = reply.StatusCode, sent.Add(time.Duration(waited)*time.Millisecond)
	return a
}

func newID() string { // the same in every retry, and known to nobody else
	random := make([]byte, 16)
	rand.Read(random)
	return fmt.Sprintf("%x", random)
}

func env(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	lease, _ := time.ParseDuration(env("HOLDFAST_LEASE_SECONDS", "30") + "s")
	seconds, _ := time.ParseDuration(os.Args[2] + "s")
	err := WithLock(ctx, os.Args[1], "trying Go", lease, func(ctx context.Context, token int64) error {
		fmt.Println("granted, fencing token", token)
		select { // your work; all it writes takes the token along
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(seconds):
			return nil
		}
	})
	switch {
	case errors.Is(err, ErrLost):
		fmt.Println(err)
		os.Exit(76)
	case err != nil:
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("released")
}
