package holdfast

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

// The script of ../conformance, run against the server that HOLDFAST_SERVER names.

func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "64"); err != nil { // cases mostly wait
		panic(err)
	}
	os.Exit(m.Run())
}

type script struct {
	Version   int
	Namespace string
	LeaseMs   int64 `json:"lease_ms"`
	LimitMs   int64 `json:"limit_ms"`
	Stubs     map[string]struct {
		Status     int
		Type, Body string
	}
	Cases []struct {
		Name    string
		Clients map[string]clientEntry
		Steps   []step
	}
}

type clientEntry struct {
	Servers   []string
	TimeoutMs int64 `json:"timeout_ms"`
}

type fields = map[string]any

type step struct {
	Do, Client, Lock, As, Start, Of, Lease, State string

	LeaseMs  int64 `json:"lease_ms"`
	WaitMs   int64 `json:"wait_ms"`
	Renew    *bool
	Mode     string
	Limit    int
	Path     string
	Owner    *string
	Reason   string
	Metadata map[string]string

	Namespace string
	Leases    float64
	Holders   *[]fields
	Waiters   *[]fields
	Expect    struct {
		Outcome          string
		Error            any // a name, or a list of names
		Holders          *[]fields
		TokenGreaterThan string `json:"token_greater_than"`
		Valid            *bool
		Lost             *bool
		Reason           any
	}
}

// server is the address and token of a real server; skips the test without one.
func server(t *testing.T) (address, token string) {
	t.Helper()
	address = strings.TrimRight(os.Getenv("HOLDFAST_SERVER"), "/")
	if address == "" {
		t.Skip("HOLDFAST_SERVER does not name a server")
	}
	return address, os.Getenv("HOLDFAST_TOKEN")
}

func TestConformance(t *testing.T) {
	server(t)
	path := os.Getenv("HOLDFAST_CONFORMANCE")
	if path == "" {
		path = filepath.Join("..", "conformance", "conformance.json")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all script
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields() // nothing is passed over
	if err := decoder.Decode(&all); err != nil {
		t.Fatal(err)
	}
	if all.Version != 1 || len(all.Cases) == 0 {
		t.Fatalf("version %d with %d cases", all.Version, len(all.Cases))
	}
	for i := range all.Cases {
		number := i
		t.Run(all.Cases[i].Name, func(t *testing.T) {
			t.Parallel()
			r := &run{t: t, all: &all, entries: all.Cases[number].Clients, suffix: fmt.Sprintf("-%d-%s", number, newID()[:8]),
				clients: map[string]*Client{}, leases: map[string]*watched{}, started: map[string]chan outcome{}}
			r.address, r.token = server(t)
			r.prepare()
			for j, step := range all.Cases[number].Steps {
				r.at = fmt.Sprintf("step %d (%s)", j+1, step.Do)
				r.do(step)
			}
			r.end()
		})
	}
}

// run is one case.
type run struct {
	t       *testing.T
	all     *script
	entries map[string]clientEntry
	address string
	token   string
	suffix  string
	at      string
	line    *line
	urls    map[string]string
	clients map[string]*Client
	leases  map[string]*watched
	started map[string]chan outcome
}

// watched is a lease, and how often its loss was told.
type watched struct {
	*Lease
	mu    sync.Mutex
	told  []string
	first chan string
}

func (w *watched) losses() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string{}, w.told...)
}

type outcome struct {
	lease *Lease
	err   error
}

func (r *run) limit() time.Duration { return millis(r.all.LimitMs) }

func (r *run) prepare() {
	r.urls = map[string]string{"server": r.address}
	for _, entry := range r.entries {
		for _, name := range entry.Servers {
			if r.urls[name] == "" {
				r.urls[name] = r.serve(name)
			}
		}
	}
}

func (r *run) serve(name string) string {
	switch name {
	case "line":
		target, err := url.Parse(r.address)
		if err != nil {
			r.t.Fatal(err)
		}
		r.line = newLine(r.t, target.Host)
		return r.line.url()
	case "dead":
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			r.t.Fatal(err)
		}
		listener.Close()
		return "http://" + listener.Addr().String()
	}
	stub, known := r.all.Stubs[name]
	if !known {
		r.t.Fatalf("there is no stub %s", name)
	}
	running := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		_, _ = io.Copy(io.Discard, request.Body)
		w.Header().Set("Content-Type", stub.Type)
		w.WriteHeader(stub.Status)
		_, _ = io.WriteString(w, stub.Body)
	}))
	r.t.Cleanup(running.Close)
	return running.URL
}

func (r *run) client(name string) *Client {
	if r.clients[name] == nil {
		config := Config{Servers: []string{r.address}, Token: r.token, Owner: name, Namespace: r.all.Namespace}
		if entry, special := r.entries[name]; special {
			config.Timeout = millis(entry.TimeoutMs)
			config.Servers = nil
			for _, server := range entry.Servers {
				config.Servers = append(config.Servers, r.urls[server])
			}
		}
		made, err := New(config)
		if err != nil {
			r.fail("%v", err)
		}
		r.clients[name] = made
	}
	return r.clients[name]
}

func (r *run) fail(format string, values ...any) {
	r.t.Helper()
	r.t.Fatalf(r.at+": "+format, values...)
}

// ---- steps

func (r *run) do(s step) {
	r.t.Helper()
	switch s.Do {
	case "acquire":
		if s.Owner != nil && *s.Owner == "" {
			return // cannot be asked for here: an owner that is empty is that of the client
		}
		r.acquire(s)
	case "join":
		select {
		case got := <-r.started[s.Of]:
			r.compare(s, got)
		case <-time.After(r.limit()):
			r.fail("%s does not end", s.Of)
		}
	case "release":
		r.released(s, r.leases[s.Lease].Release())
	case "check":
		if lease := r.leases[s.Lease]; s.Expect.Valid != nil && lease.Valid() != *s.Expect.Valid {
			r.fail("valid is %t", !*s.Expect.Valid)
		} else if s.Expect.Lost != nil && (len(lease.losses()) > 0) != *s.Expect.Lost {
			r.fail("lost is %t", !*s.Expect.Lost)
		}
	case "lost":
		select {
		case reason := <-r.leases[s.Lease].first:
			if !contains(s.Expect.Reason, reason) {
				r.fail("lost because %s, not %v", reason, s.Expect.Reason)
			}
		case <-time.After(r.limit()):
			r.fail("nobody was told that it is lost")
		}
	case "force":
		lease := r.leases[s.Lease]
		r.call("POST", "/v2/locks/force-unlock", fields{"namespace": lease.Namespace(), "name": lease.Name(),
			"fencing_token": lease.Token(), "reason": "conformance"})
	case "await":
		r.await(s)
	case "pause":
		time.Sleep(time.Duration(s.Leases * float64(millis(r.all.LeaseMs))))
	case "line":
		r.line.set(s.State)
	case "close":
		r.client(s.Client).Close()
	default:
		r.fail("unknown step")
	}
}

func (r *run) acquire(s step) {
	lock := Lock{Name: s.Lock + r.suffix, Namespace: s.Namespace, Lease: millis(r.all.LeaseMs), Wait: millis(s.WaitMs), Reason: s.Reason,
		Metadata: s.Metadata, Mode: s.Mode, Limit: s.Limit, Path: s.Path, NoRenew: s.Renew != nil && !*s.Renew}
	if s.LeaseMs != 0 {
		lock.Lease = millis(s.LeaseMs)
	}
	if s.Owner != nil {
		lock.Owner = *s.Owner
	}
	client := r.client(s.Client)
	asked := make(chan outcome, 1)
	go func() {
		take := client.Acquire
		if s.WaitMs == 0 {
			take = client.TryAcquire
		}
		lease, err := take(context.Background(), lock)
		asked <- outcome{lease, err}
	}()
	if s.Start != "" {
		named := make(chan outcome, 1)
		r.started[s.Start] = named
		w := &watched{first: make(chan string, 1)}
		r.leases[s.As] = w
		go func() {
			got := <-asked
			w.watch(got.lease)
			named <- got
		}()
		return
	}
	got := <-asked
	w := &watched{first: make(chan string, 1)}
	w.watch(got.lease)
	r.leases[s.As] = w
	r.compare(s, got)
}

func (w *watched) watch(lease *Lease) {
	if lease == nil {
		return
	}
	w.Lease = lease
	lease.OnLost(func(why *Error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.told = append(w.told, why.Reason); len(w.told) == 1 {
			w.first <- why.Reason
		}
	})
}

func (r *run) compare(s step, got outcome) {
	r.t.Helper()
	var said *Error
	is := "granted"
	if got.err != nil {
		if !errors.As(got.err, &said) {
			r.fail("not an error of ours: %v", got.err)
		}
		is = "error"
		if errors.Is(got.err, ErrLockBusy) {
			is = "busy"
		}
	}
	expected := s.Expect
	if is != expected.Outcome {
		r.fail("%s, not %s: %v", is, expected.Outcome, got.err)
	}
	if is == "error" && !contains(expected.Error, said.Name) {
		r.fail("%s, not %v: %v", said.Name, expected.Error, got.err)
	}
	if expected.Holders != nil && !matches(*expected.Holders, asFields(said.Holders), false) {
		r.fail("holders are %v, not %v", asFields(said.Holders), *expected.Holders)
	}
	if before := expected.TokenGreaterThan; before != "" && got.lease.Token() <= r.leases[before].Token() {
		r.fail("the token did not grow")
	}
	if expected.Valid != nil && got.lease.Valid() != *expected.Valid {
		r.fail("valid is %t", !*expected.Valid)
	}
}

func (r *run) released(s step, err error) {
	r.t.Helper()
	is := "released"
	if errors.Is(err, ErrLeaseLost) {
		is = "not-held"
	} else if err != nil {
		is = "error"
	}
	if is != s.Expect.Outcome {
		r.fail("%s, not %s: %v", is, s.Expect.Outcome, err)
	}
}

func (r *run) await(s step) {
	r.t.Helper()
	query := url.Values{"namespace": {r.all.Namespace}, "name": {s.Lock + r.suffix}}
	for end := time.Now().Add(r.limit()); ; time.Sleep(50 * time.Millisecond) {
		var seen struct{ Holders, Waiters []fields }
		text := r.call("GET", "/v2/lock?"+query.Encode(), nil)
		if err := json.Unmarshal(text, &seen); err != nil {
			r.fail("%v", err)
		}
		if (s.Holders == nil || matches(*s.Holders, seen.Holders, false)) && (s.Waiters == nil || matches(*s.Waiters, seen.Waiters, true)) {
			return
		}
		if time.Now().After(end) {
			r.fail("the lock is still %s", text)
		}
	}
}

// call speaks to the server itself.
func (r *run) call(method, path string, body fields) []byte {
	r.t.Helper()
	var text io.Reader
	if body != nil {
		text = bytes.NewReader(encoded(body))
	}
	request, err := http.NewRequest(method, r.address+path, text)
	if err != nil {
		r.fail("%v", err)
	}
	request.Header.Set("Content-Type", "application/json")
	if r.token != "" {
		request.Header.Set("Authorization", "Bearer "+r.token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		r.fail("%v", err)
	}
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != 200 {
		r.fail("%s: %d %s %v", path, response.StatusCode, said, err)
	}
	return said
}

func (r *run) end() {
	for _, client := range r.clients {
		client.Close()
	}
	for name, lease := range r.leases {
		if told := lease.losses(); len(told) > 1 {
			r.t.Errorf("the loss of %s was told %d times: %v", name, len(told), told)
		}
	}
}

// ---- comparing

// contains tells whether a name is the one expected, or one of those.
func contains(expected any, name string) bool {
	if several, ok := expected.([]any); ok {
		for _, one := range several {
			if one == name {
				return true
			}
		}
		return false
	}
	return expected == name
}

// matches tells whether there are as many, each with at least these fields.
func matches(expected, seen []fields, inOrder bool) bool {
	if len(expected) != len(seen) {
		return false
	}
	left := append([]fields{}, seen...)
	for _, one := range expected {
		found := -1
		for i, other := range left {
			if has(other, one) {
				found = i
				break
			}
		}
		if found < 0 || inOrder && found > 0 {
			return false
		}
		left = append(left[:found], left[found+1:]...)
	}
	return true
}

func has(seen, expected fields) bool {
	for name, value := range expected {
		if !reflect.DeepEqual(seen[name], value) {
			return false
		}
	}
	return true
}

func asFields(holders []Holder) []fields {
	var all []fields
	if err := json.Unmarshal(encoded(holders), &all); err != nil {
		panic(err)
	}
	return all
}
