package holdfast

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// What the script of ../conformance cannot say, because it is Go's: contexts, Do, TLS, and what goes over the wire.

const patience = time.Minute

func connect(t *testing.T, change func(*Config)) *Client {
	t.Helper()
	address, token := server(t)
	config := Config{Servers: []string{address}, Token: token, Namespace: "go"}
	if change != nil {
		change(&config)
	}
	locks, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { locks.Close() })
	return locks
}

func unique(name string) string { return name + "-" + newID()[:8] }

func acquire(t *testing.T, locks *Client, lock Lock) *Lease {
	t.Helper()
	lease, err := locks.Acquire(context.Background(), lock)
	if err != nil {
		t.Fatal(err)
	}
	return lease
}

// relay is an HTTP server in front of the real one; look sees every request, and may answer it itself.
func relay(t *testing.T, look func(w http.ResponseWriter, path string, body []byte, request *http.Request) bool) http.Handler {
	t.Helper()
	address, _ := server(t)
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		request.Body = io.NopCloser(bytes.NewReader(body))
		request.Host = target.Host
		if !look(w, request.URL.Path, body, request) {
			proxy.ServeHTTP(w, request)
		}
	})
}

func force(t *testing.T, lease *Lease) {
	t.Helper()
	r := &run{t: t}
	r.address, r.token = server(t)
	r.call("POST", "/v2/locks/force-unlock",
		fields{"namespace": lease.Namespace(), "name": lease.Name(), "fencing_token": lease.Token(), "reason": "a test"})
}

// waiters waits until so many wait for the lock.
func waiters(t *testing.T, lock string, count int) {
	t.Helper()
	r := &run{t: t, all: &script{Namespace: "go", LimitMs: patience.Milliseconds()}}
	r.address, r.token = server(t)
	expected := make([]fields, count)
	r.await(step{Lock: lock, Waiters: &expected})
}

func ended(t *testing.T, ctx context.Context) {
	t.Helper()
	select {
	case <-ctx.Done():
	case <-time.After(patience):
		t.Fatal("the context does not end")
	}
}

func TestTheContextOfALeaseEndsWhenItIsLost(t *testing.T) {
	t.Parallel()
	lease := acquire(t, connect(t, nil), Lock{Name: unique("forced"), Lease: 3 * time.Second})
	if lease.Context().Err() != nil || lease.Err() != nil || lease.Remaining() > 3*time.Second {
		t.Fatal("it is held")
	}
	told := make(chan *Error, 2)
	lease.OnLost(func(why *Error) { told <- why })

	force(t, lease)

	ended(t, lease.Context())
	if why := <-told; why.Reason != "forced" {
		t.Error(why)
	}
	if lease.Valid() || !errors.Is(lease.Err(), ErrLeaseLost) || !errors.Is(lease.Release(), ErrLeaseLost) {
		t.Error("it is lost", lease.Err())
	}
	late := make(chan *Error, 1)
	lease.OnLost(func(why *Error) { late <- why })
	if why := <-late; why.Reason != "forced" {
		t.Error("who asks later is told, too", why)
	}
}

func TestTheContextOfALeaseEndsWithItsReleaseAndWithThatOfTheCaller(t *testing.T) {
	t.Parallel()
	locks := connect(t, nil)
	type tag struct{}
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), tag{}, "kept"))
	defer cancel()
	first, err := locks.Acquire(ctx, Lock{Name: unique("context")})
	if err != nil {
		t.Fatal(err)
	}
	second, err := locks.Acquire(ctx, Lock{Name: unique("context")})
	if err != nil {
		t.Fatal(err)
	}

	if err := first.Release(); err != nil || first.Release() != nil {
		t.Error("releasing twice is harmless", err)
	}
	if first.Context().Err() == nil || first.Err() != nil || first.Valid() {
		t.Error("released, and not lost")
	}
	cancel()
	ended(t, second.Context())
	if second.Context().Value(tag{}) != "kept" || !second.Valid() {
		t.Error("whoever stops still holds the lock until its release")
	}
	if err := second.Release(); err != nil {
		t.Error(err)
	}
}

func TestWhoeverStopsWaitingGivesUpThePlace(t *testing.T) {
	t.Parallel()
	left := make(chan struct{}, 100)
	front := httptest.NewServer(relay(t, func(_ http.ResponseWriter, path string, body []byte, _ *http.Request) bool {
		if path == "/v2/locks/release" && strings.Contains(string(body), `"unused":true`) {
			left <- struct{}{} // else the place would be kept for 15 s
		}
		return false
	}))
	defer front.Close()
	locks, name := connect(t, func(c *Config) { c.Servers = []string{front.URL} }), unique("stopped")
	defer acquire(t, locks, Lock{Name: name}).Release()
	ctx, cancel := context.WithCancel(context.Background())
	queued := make(chan int, 100)
	stopped := make(chan error)
	go func() {
		_, err := locks.Acquire(ctx, Lock{Name: name, Wait: Forever, OnQueued: func(place int, holders []Holder) {
			if len(holders) == 1 {
				queued <- place
			}
		}})
		stopped <- err
	}()
	if place := <-queued; place != 1 {
		t.Error("place", place)
	}
	waiters(t, name, 1)

	cancel()

	if err := <-stopped; err != context.Canceled {
		t.Error(err)
	}
	select {
	case <-left:
	case <-time.After(patience):
		t.Fatal("the place is not given up")
	}
	waiters(t, name, 0)
}

func TestADeadlineOfTheContextSaysWhoWasInTheWay(t *testing.T) {
	t.Parallel()
	locks, name := connect(t, nil), unique("deadline")
	defer acquire(t, locks, Lock{Name: name, Owner: "worker-7"}).Release()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()

	_, err := locks.Acquire(ctx, Lock{Name: name, Wait: Forever, OnQueued: func(int, []Holder) {}})

	var said *Error
	if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, ErrLockBusy) || !errors.As(err, &said) {
		t.Fatal(err)
	}
	if len(said.Holders) != 1 || said.Holders[0].Owner != "worker-7" || said.Code != "held" {
		t.Error(said)
	}
	waiters(t, name, 0)
}

func TestAContextThatHasEndedAsksNothing(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := connect(t, nil).TryAcquire(ctx, Lock{Name: unique("ended")}); err != context.Canceled {
		t.Error(err)
	}
}

func TestAllLeasesAreRenewedWithOneRequest(t *testing.T) {
	t.Parallel()
	const count = 30
	whole := make(chan int, 100)
	front := httptest.NewServer(relay(t, func(_ http.ResponseWriter, path string, body []byte, _ *http.Request) bool {
		var batch struct{ Leases []fields }
		if path == "/v2/locks/renew" && json.Unmarshal(body, &batch) == nil {
			whole <- len(batch.Leases)
		}
		return false
	}))
	defer front.Close()
	locks := connect(t, func(c *Config) { c.Servers = []string{front.URL + "/"} })
	prefix := unique("batch")
	var all []*Lease
	for i := 0; i < count; i++ {
		all = append(all, acquire(t, locks, Lock{Name: prefix + string(rune('a'+i)), Lease: 6 * time.Second}))
	}
	for limit := time.After(patience); ; {
		select {
		case size := <-whole:
			if size < count {
				continue // some were taken later than half an interval
			}
		case <-limit:
			t.Fatal("no request renewed all of them")
		}
		break
	}
	for _, lease := range all {
		if err := lease.Release(); err != nil {
			t.Error(err)
		}
	}
}

func TestALeaseThatMayNotBeRenewedDoesNotTakeTheOthersAlong(t *testing.T) {
	t.Parallel()
	bad := unique("bad")
	front := httptest.NewServer(relay(t, func(w http.ResponseWriter, path string, body []byte, _ *http.Request) bool {
		refused := path == "/v2/locks/renew" && strings.Contains(string(body), bad)
		if refused {
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `{"code":"forbidden","detail":"no role here","status":403}`)
		}
		return refused
	}))
	defer front.Close()
	locks := connect(t, func(c *Config) { c.Servers = []string{front.URL} })
	one := acquire(t, locks, Lock{Name: unique("good"), Lease: 6 * time.Second})
	two := acquire(t, locks, Lock{Name: bad, Lease: 6 * time.Second})
	three := acquire(t, locks, Lock{Name: unique("good"), Lease: 6 * time.Second})

	ended(t, two.Context())

	if !one.Valid() || !three.Valid() {
		t.Error("all are lost because of one", one.Err(), three.Err())
	}
	if why := new(Error); !errors.As(two.Err(), &why) || why.Reason != "store_unreachable" {
		t.Error(two.Err())
	}
}

func TestAnAnswerThatComesAfterTheDeadlineDoesNotBringALeaseBack(t *testing.T) {
	t.Parallel()
	arrived, goOn := make(chan struct{}, 100), make(chan struct{})
	front := httptest.NewServer(relay(t, func(_ http.ResponseWriter, path string, _ []byte, request *http.Request) bool {
		if path == "/v2/locks/renew" {
			arrived <- struct{}{}
			<-goOn
		}
		return false
	}))
	defer front.Close()
	locks := connect(t, func(c *Config) { c.Servers = []string{front.URL} })
	lease := acquire(t, locks, Lock{Name: unique("late"), Lease: time.Minute})
	locks.beat.mu.Lock()
	lease.due = time.Now() // now, not in 20 s
	locks.beat.schedule(lease.due)
	locks.beat.mu.Unlock()
	<-arrived
	locks.beat.mu.Lock()
	lease.until = time.Now() // as if a minute had passed
	locks.beat.mu.Unlock()

	close(goOn)

	ended(t, lease.Context())
	if why := new(Error); lease.Valid() || !errors.As(lease.Err(), &why) || why.Reason != "store_unreachable" {
		t.Error(lease.Err())
	}
	if !errors.Is(lease.Release(), ErrLeaseLost) {
		t.Error("it stays lost")
	}
}

func TestALeaseCountsFromBeforeItsRequestWasSent(t *testing.T) {
	t.Parallel()
	const length, slow = 15 * time.Second, time.Second
	front := httptest.NewServer(relay(t, func(http.ResponseWriter, string, []byte, *http.Request) bool {
		time.Sleep(slow)
		return false
	}))
	defer front.Close()
	lease := acquire(t, connect(t, func(c *Config) { c.Servers = []string{front.URL} }), Lock{Name: unique("slow"), Lease: length})
	left := lease.Remaining()
	if left > length-slow {
		t.Error("granted", left)
	}
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		before := left
		if left = lease.Remaining(); left > before {
			break
		}
		if time.Now().After(end) || left == 0 {
			t.Fatal("it is not renewed", lease.Err())
		}
	}
	if left > length-slow {
		t.Error("renewed", left)
	}
}

func TestAGrantThatIsHeardTooLateIsAskedForAgain(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	front := httptest.NewServer(relay(t, func(_ http.ResponseWriter, path string, _ []byte, _ *http.Request) bool {
		if path == "/v2/locks/acquire" && asked.Add(1) == 1 {
			time.Sleep(time.Second)
		}
		return false
	}))
	defer front.Close()
	locks := connect(t, func(c *Config) { c.Servers, c.Timeout = []string{front.URL}, patience })
	lease, err := locks.TryAcquire(context.Background(), Lock{Name: unique("heard"), Lease: 800 * time.Millisecond, NoRenew: true})
	if err != nil || asked.Load() < 2 || lease.Token() == 0 {
		t.Error(err, asked.Load())
	}
}

func TestDoReleasesHoweverTheWorkEnds(t *testing.T) {
	t.Parallel()
	locks, name := connect(t, nil), unique("do")
	broken := errors.New("broken")
	free := func() {
		t.Helper()
		lease, err := locks.TryAcquire(context.Background(), Lock{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		lease.Release()
	}
	ctx := context.Background()

	if err := locks.Do(ctx, Lock{Name: name}, func(ctx context.Context, lease *Lease) error {
		if _, err := locks.TryAcquire(ctx, Lock{Name: name}); !errors.Is(err, ErrLockBusy) {
			t.Error(err)
		}
		return ctx.Err()
	}); err != nil {
		t.Error(err)
	}
	free()
	if err := locks.Do(ctx, Lock{Name: name}, func(context.Context, *Lease) error { return broken }); err != broken {
		t.Error(err)
	}
	free()
	func() {
		defer func() {
			if recover() != broken {
				t.Error("a panic goes through")
			}
		}()
		_ = locks.Do(ctx, Lock{Name: name}, func(context.Context, *Lease) error { panic(broken) })
	}()
	free()
	if err := locks.Do(ctx, Lock{Name: name, Lease: 2 * time.Second}, func(ctx context.Context, lease *Lease) error {
		force(t, lease)
		ended(t, ctx)
		return nil
	}); !errors.Is(err, ErrLeaseLost) {
		t.Error("work that ended well, but perhaps not alone", err)
	}
}

func TestTheTokenIsSentWithEveryRequest(t *testing.T) {
	t.Parallel()
	_, real := server(t)
	front := httptest.NewServer(relay(t, func(w http.ResponseWriter, _ string, _ []byte, request *http.Request) bool {
		refused := request.Header.Get("Authorization") != "Bearer hf_right"
		if refused {
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"code":"unauthorized","detail":"Send a valid token","status":401}`)
		} else if request.Header.Del("Authorization"); real != "" {
			request.Header.Set("Authorization", "Bearer "+real)
		}
		return refused
	}))
	defer front.Close()
	right := connect(t, func(c *Config) { c.Servers, c.Token = []string{front.URL}, "hf_right" })
	if err := acquire(t, right, Lock{Name: unique("token")}).Release(); err != nil {
		t.Error(err)
	}
	wrong := connect(t, func(c *Config) { c.Servers, c.Token = []string{front.URL}, "hf_wrong" })
	if _, err := wrong.Acquire(context.Background(), Lock{Name: unique("token")}); !errors.Is(err, ErrAccessRefused) {
		t.Error(err)
	}
}

func TestATokenThatIsNotValidIsRefused(t *testing.T) {
	t.Parallel()
	if _, token := server(t); token == "" {
		t.Skip("HOLDFAST_TOKEN is not set: this server wants none")
	}
	for _, wrong := range []string{"", "hf_wrong"} {
		_, err := connect(t, func(c *Config) { c.Token = wrong }).TryAcquire(context.Background(), Lock{Name: unique("refused")})
		if said := new(Error); !errors.Is(err, ErrAccessRefused) || !errors.As(err, &said) || said.Code != "unauthorized" {
			t.Error(err)
		}
	}
}

func TestTLS(t *testing.T) {
	t.Parallel()
	var shown atomic.Int64
	handler := relay(t, func(_ http.ResponseWriter, _ string, _ []byte, request *http.Request) bool {
		shown.Store(int64(len(request.TLS.PeerCertificates)))
		return false
	})
	front := httptest.NewUnstartedServer(handler)
	front.TLS = &tls.Config{ClientAuth: tls.RequestClientCert, MinVersion: tls.VersionTLS12}
	front.StartTLS()
	defer front.Close()
	dir := t.TempDir()
	ca := filepath.Join(dir, "ca.pem")
	write(t, ca, "CERTIFICATE", front.Certificate().Raw)
	cert, key := identity(t, dir)

	_, err := connect(t, func(c *Config) { c.Servers = []string{front.URL} }).TryAcquire(context.Background(), Lock{Name: unique("tls")})
	if !errors.Is(err, ErrStoreUnusable) || !strings.Contains(err.Error(), "CAFile") {
		t.Error("a certificate that is not trusted", err)
	}
	trusting := func(c *Config) { c.Servers, c.CAFile = []string{front.URL}, ca }
	if err := acquire(t, connect(t, trusting), Lock{Name: unique("tls")}).Release(); err != nil || shown.Load() != 0 {
		t.Error(err, shown.Load())
	}
	showing := func(c *Config) { trusting(c); c.CertFile, c.KeyFile = cert, key }
	if err := acquire(t, connect(t, showing), Lock{Name: unique("tls")}).Release(); err != nil || shown.Load() != 1 {
		t.Error(err, shown.Load())
	}
	plain := func(c *Config) { c.Servers = []string{strings.Replace(front.URL, "https:", "http:", 1)} }
	if _, err := connect(t, plain).TryAcquire(context.Background(), Lock{Name: unique("tls")}); err == nil || errors.Is(err, ErrLockBusy) {
		t.Error(err)
	}
}

func identity(t *testing.T, dir string) (cert, key string) {
	t.Helper()
	pair, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "worker-7"}, NotAfter: time.Now().Add(time.Hour)}
	made, err := x509.CreateCertificate(rand.Reader, template, template, &pair.PublicKey, pair)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(pair)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	write(t, cert, "CERTIFICATE", made)
	write(t, key, "PRIVATE KEY", secret)
	return cert, key
}

func write(t *testing.T, path, kind string, der []byte) {
	t.Helper()
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsWrongWithAConfigurationIsSaidWithoutSecrets(t *testing.T) {
	t.Parallel()
	for _, wrong := range []Config{
		{},
		{Servers: make([]string, 17)},
		{Servers: []string{"locks.example.com"}},
		{Servers: []string{"ftp://locks.example.com"}},
		{Servers: []string{"http://any:s3cret@locks.example.com"}},
		{Servers: []string{"http://locks.example.com?token=s3cret"}},
		{Servers: []string{"http://locks.example.com"}, Token: "s3cret\n"},
		{Servers: []string{"http://locks.example.com"}, CAFile: "there-is-none.pem"},
		{Servers: []string{"http://locks.example.com"}, CertFile: "there-is-none.pem"},
	} {
		_, err := New(wrong)
		if !errors.Is(err, ErrInvalidRequest) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
}

func TestTheLocalDeadlineHasAMargin(t *testing.T) {
	t.Parallel()
	now := time.Now()
	until := deadline(now, 10*time.Second)
	if left := until.Sub(now); left != 9950*time.Millisecond {
		t.Error(left)
	}
	if left := deadline(now, 100*time.Millisecond).Sub(now); left != 98*time.Millisecond {
		t.Error(left)
	}
	if !believed(until, now) || believed(until, until) {
		t.Error("until then, and not longer")
	}
}
