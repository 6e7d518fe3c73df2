package holdfast

import (
	"net"
	"sync"
	"testing"
)

// line is a TCP proxy to the real server that can be cut, fall silent, or lose what the server answers.
type line struct {
	target   string
	listener net.Listener

	mu    sync.Mutex
	state string
	open  map[net.Conn]struct{}
}

func newLine(t *testing.T, target string) *line {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &line{target: target, listener: listener, state: "open", open: map[net.Conn]struct{}{}}
	go l.accept()
	t.Cleanup(func() {
		listener.Close()
		l.set("cut")
	})
	return l
}

func (l *line) url() string { return "http://" + l.listener.Addr().String() }

func (l *line) set(state string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = state
	if state == "open" || state == "cut" {
		for conn := range l.open {
			conn.Close()
		}
	}
}

// keep registers a connection; false if it is to be closed.
func (l *line) keep(conn net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == "cut" {
		return false
	}
	l.open[conn] = struct{}{}
	return true
}

func (l *line) passes(toServer bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state == "open" || l.state == "deaf" && toServer
}

func (l *line) accept() {
	for {
		client, err := l.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", l.target)
		if err != nil || !l.keep(client) || !l.keep(server) {
			client.Close()
			if server != nil {
				server.Close()
			}
			continue
		}
		go l.pass(client, server, true)
		go l.pass(server, client, false)
	}
}

func (l *line) pass(from, to net.Conn, toServer bool) {
	defer func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, conn := range []net.Conn{from, to} {
			conn.Close()
			delete(l.open, conn)
		}
	}()
	buffer := make([]byte, 8192)
	for {
		count, err := from.Read(buffer)
		if err != nil {
			return
		}
		if l.passes(toServer) {
			if _, err := to.Write(buffer[:count]); err != nil {
				return
			}
		}
	}
}
