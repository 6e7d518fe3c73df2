// Package holdfast takes locks of a Holdfast server. A lock is held as a Lease, which ends by itself if this process dies, is
// renewed as long as it lives, and says so when it is lost, before anybody else can get the lock.
//
//	locks, err := holdfast.New(holdfast.Config{Servers: []string{"https://locks.example.com"}, Token: token})
//	…
//	defer locks.Close()
//
//	lease, err := locks.Acquire(ctx, holdfast.Lock{Name: "nightly-report"})
//	if err != nil {
//		return err
//	}
//	defer lease.Release()
//	return writeReport(lease.Context(), lease.Token())
package holdfast

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	maxServers     = 16
	defaultTimeout = 10 * time.Second
	// tidyWithin is how long giving up a place, or giving back a lock nobody was told of, may take: it ends by itself anyway.
	tidyWithin = 2 * time.Second
)

// Config says which servers there are, and who asks. Only Servers is needed.
type Config struct {
	// Servers are 1 to 16 addresses on the same store, such as https://locks.example.com; they stand in for each other.
	Servers []string
	Token   string // an API token or a JWT

	CAFile   string // certificates (PEM) to trust instead of those of the system
	CertFile string // certificate and key (PEM) for a server that asks for one; read again for every new connection
	KeyFile  string

	Namespace string        // of locks named without one; "default" if empty
	Owner     string        // shown as the holder of its locks; host, process and start time if empty
	Timeout   time.Duration // how long a request is tried again before it fails; 10 s if zero
}

// Client takes locks and renews all of its leases with one request. One for a process is enough. Safe for any goroutine.
type Client struct {
	config    Config
	wire      *wire
	transport *http.Transport
	beat      *heartbeat

	park atomic.Int64 // the longest time for which the servers let a request wait, as far as is known

	mu     sync.Mutex
	closed bool
	work   sync.WaitGroup  // calls and tidying under way
	life   context.Context // ends with Close
	stop   context.CancelFunc
}

// New makes a client; nothing is sent before something is asked.
func New(config Config) (*Client, error) {
	servers, err := addresses(config.Servers)
	if err != nil {
		return nil, err
	}
	for _, char := range config.Token {
		if char < 0x21 || char > 0x7e {
			return nil, failed("invalid-request", nil, "the token has characters that are not allowed; is it complete, on one line?")
		}
	}
	trust, err := config.tls()
	if err != nil {
		return nil, failed("invalid-request", err, "%v", err)
	}
	if config.Namespace == "" {
		config.Namespace = "default"
	}
	if config.Owner == "" {
		config.Owner = processLabel()
	}
	if config.Timeout == 0 {
		config.Timeout = defaultTimeout
	}
	c := &Client{config: config}
	c.transport = &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: config.Timeout}).DialContext,
		TLSClientConfig:     trust,
		TLSHandshakeTimeout: config.Timeout,
		MaxIdleConnsPerHost: 8,
		IdleConnTimeout:     30 * time.Second,
		// No HTTP/2: there a line that fell silent is used again for minutes; here every request that gets no answer closes its own.
		TLSNextProto: map[string]func(string, *tls.Conn) http.RoundTripper{},
	}
	c.wire = &wire{servers: servers, token: config.Token, http: &http.Client{
		Transport:     c.transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	c.park.Store(int64(longestPark))
	c.life, c.stop = context.WithCancel(context.Background())
	c.beat = newHeartbeat(c)
	return c, nil
}

func addresses(given []string) ([]string, error) {
	if len(given) == 0 || len(given) > maxServers {
		return nil, failed("invalid-request", nil, "a client has 1 to %d servers, was given %d", maxServers, len(given))
	}
	var servers []string
	for _, server := range given {
		address, err := url.Parse(server)
		if err != nil || address.Host == "" || address.RawQuery != "" || address.Fragment != "" ||
			(address.Scheme != "http" && address.Scheme != "https") {
			return nil, failed("invalid-request", nil, "that is not the address of a server; write for example http://127.0.0.1:8080")
		}
		if address.User != nil {
			return nil, failed("invalid-request", nil, "the address of a server must not contain a user; give the token separately")
		}
		servers = append(servers, strings.TrimRight(server, "/"))
	}
	return servers, nil
}

func (c Config) tls() (*tls.Config, error) {
	trust := &tls.Config{MinVersion: tls.VersionTLS12}
	if c.CAFile != "" {
		text, err := os.ReadFile(c.CAFile)
		if err != nil {
			return nil, fmt.Errorf("CAFile: %w", err)
		}
		trust.RootCAs = x509.NewCertPool()
		if !trust.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("CAFile: there is no certificate in %s", c.CAFile)
		}
	}
	if c.CertFile != "" || c.KeyFile != "" {
		read := func() (*tls.Certificate, error) {
			pair, err := tls.LoadX509KeyPair(c.CertFile, c.KeyFile)
			return &pair, err
		}
		if _, err := read(); err != nil {
			return nil, fmt.Errorf("CertFile, KeyFile: %w", err)
		}
		trust.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return read() }
	}
	return trust, nil
}

var started = time.Now()

func processLabel() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return host + "-" + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(started.Unix(), 10)
}

// Acquire takes the lock, waiting for its turn in fair order: up to lock.Wait, or until the context ends. It then gives up its place.
// A server that does not answer is waited for just as long. The lease's own context ends with ctx, too: to limit only the wait, set
// lock.Wait.
//
// The error is ErrLockBusy if others had it all the time, ErrStoreUnavailable or another Error if no server said so, or that of the
// context. At the end of ctx's deadline it is both: errors.Is(err, context.DeadlineExceeded) and one of the former.
func (c *Client) Acquire(ctx context.Context, lock Lock) (*Lease, error) {
	if lock.Wait == 0 {
		lock.Wait = defaultWait
	}
	return c.acquire(ctx, lock)
}

// TryAcquire takes the lock if it is free; else the error is ErrLockBusy. It does not wait, whatever lock.Wait says.
func (c *Client) TryAcquire(ctx context.Context, lock Lock) (*Lease, error) {
	lock.Wait = 0
	return c.acquire(ctx, lock)
}

// Do does the work under the lock, for which it waits as Acquire does, and releases it afterwards, also if the work panics. The
// context of the work ends when the lock is lost. Work that ended well under a lock that was lost is ErrLeaseLost: it may not have
// been alone.
func (c *Client) Do(ctx context.Context, lock Lock, work func(ctx context.Context, lease *Lease) error) error {
	lease, err := c.Acquire(ctx, lock)
	if err != nil {
		return err
	}
	defer lease.Release()
	if err := work(lease.Context(), lease); err != nil {
		return err
	}
	if err := lease.Release(); errors.Is(err, ErrLeaseLost) {
		return err
	}
	return nil // a release that failed: the work is done, and the lease ends by itself
}

// Close gives up places in queues and stops renewing. Leases that are still held are lost, for the reason closed: they end by themselves
// at the server, since their work may still be going on. Release them first.
func (c *Client) Close() error {
	c.mu.Lock()
	first := !c.closed
	c.closed = true
	c.mu.Unlock()
	if !first {
		return nil
	}
	c.beat.close()
	c.stop()
	done := make(chan struct{})
	go func() { c.work.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(tidyWithin + leastPatience):
	}
	c.transport.CloseIdleConnections()
	return nil
}

// begin counts a call that Close waits for; false if the client is closed.
func (c *Client) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.work.Add(1)
	}
	return !c.closed
}

func (c *Client) closedError() error {
	return failed("client-closed", nil, "this client of %s is closed", c.wire.servers[0])
}

// tidy does in the background what time would do, too, only later. For calls that Close waits for.
func (c *Client) tidy(one leaseBody) {
	c.work.Add(1)
	go func() {
		defer c.work.Done()
		c.release(one, tidyWithin)
	}()
}

// release ends a lease, or leaves the queue.
func (c *Client) release(one leaseBody, within time.Duration) (*reply, error) {
	a := ask{what: "the release of " + one.key.String(), path: "/v2/locks/release", body: leases(one),
		deadline: time.Now().Add(within), patience: within}
	got, err := c.wire.send(context.Background(), a)
	if err == nil && (len(got.Results) != 1 || got.Results[0].LeaseID != one.LeaseID) {
		return nil, strange(c.wire.servers[0], a, got)
	}
	return got, err
}
