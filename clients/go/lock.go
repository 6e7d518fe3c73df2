package holdfast

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

const (
	defaultLease = 30 * time.Second
	defaultWait  = 30 * time.Second
	// longestRenewal is how far apart renewals are at most, however long the lease.
	longestRenewal = 30 * time.Second
)

// Forever as the Wait of a Lock: wait until it is granted or the context ends.
const Forever time.Duration = 1<<63 - 1

// Lock says which lock is wanted, and how. Only Name is needed.
type Lock struct {
	Name      string
	Namespace string // that of the client if empty

	// Lease is how long the lock stays ours if this process dies; 30 s if zero, 100 ms to 24 h. It is renewed after a third of it.
	Lease time.Duration
	// Wait is how long Acquire waits for its turn, and for a server to answer; 30 s if zero. The context may end it sooner.
	Wait time.Duration

	Reason   string            // why, for whoever finds it held
	Owner    string            // that of the client if empty
	Metadata map[string]string // more about it, for people

	Mode    string        // "exclusive" if empty; "shared", or "permit" with a Limit
	Limit   int           // how many may hold it at once, with mode "permit"
	Path    string        // a part of the lock, such as "eu/orders"
	Paths   []string      // several parts, together or not at all; instead of Path
	MinHold time.Duration // keep it busy for so long after the grant, even if it is released sooner
	NoRenew bool          // let it end when its lease does

	// OnQueued is told of the place in the queue, from 1, and who is in the way: soon after it begins to wait, then now and again.
	OnQueued func(place int, holders []Holder)
}

// key names a lock.
type key struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

func (k key) String() string { return fmt.Sprintf("lock '%s' in '%s'", k.Name, k.Namespace) }

// acquireBody is what POST /v2/locks/acquire takes.
type acquireBody struct {
	key
	Path     string            `json:"path,omitempty"`
	Paths    []string          `json:"paths,omitempty"`
	Mode     string            `json:"mode,omitempty"`
	Limit    int               `json:"limit,omitempty"`
	Owner    string            `json:"owner"`
	LeaseID  string            `json:"lease_id"`
	LeaseMs  int64             `json:"lease_ms"`
	Renewal  int64             `json:"renew_every_ms"`
	MinHold  int64             `json:"min_hold_ms,omitempty"`
	WaitMs   int64             `json:"wait_ms"`
	Metadata map[string]string `json:"metadata,omitempty"`
	Reason   string            `json:"reason,omitempty"`
}

// leaseBody is one lease in a renewal or release.
type leaseBody struct {
	key
	LeaseID string `json:"lease_id"`
	Lost    bool   `json:"lost,omitempty"`
	Unused  bool   `json:"unused,omitempty"`
}

// answer has the fields of all answers that are read here.
type answer struct {
	Code         string   `json:"code"`
	Detail       string   `json:"detail"`
	RequestID    string   `json:"request_id"`
	Reason       string   `json:"reason"`
	Errors       []string `json:"errors"`
	RetryAfterMs int64    `json:"retry_after_ms"`
	Holders      []Holder `json:"holders"`
	QueueLength  int      `json:"queue_length"`
	Position     int      `json:"position"`
	Token        int64    `json:"fencing_token"`
	LeaseMs      int64    `json:"lease_ms"`
	Results      []result `json:"results"`
}

// result is what became of one lease.
type result struct {
	LeaseID string `json:"lease_id"`
	Outcome string `json:"outcome"`
	Reason  string `json:"reason"`
	LeaseMs int64  `json:"lease_ms"`
}

func leases(some ...leaseBody) []byte {
	return encoded(struct {
		Leases []leaseBody `json:"leases"`
	}{some})
}

func encoded(value any) []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // names would take more bytes than a batch is reckoned with
	if err := encoder.Encode(value); err != nil {
		panic(err) // texts and numbers can always be written
	}
	return text.Bytes()
}

// newID names an acquisition: the same in every retry, and known to nobody else.
func newID() string {
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		panic(err) // a lease id that can be guessed is worse than none
	}
	return hex.EncodeToString(random)
}
