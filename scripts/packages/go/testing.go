package standintest

import (
	"context"
	"os"
	"sync"
	"testing"
)

// T is a client of one test, in a namespace of its own. What goes wrong fails the test, in the words of the service.
type T struct {
	// Client has the same methods with errors.
	*Client

	t testing.TB
}

// shared is the service of all tests of this process.
var shared struct {
	once   sync.Once
	client *Client
	err    error
}

// New returns a client of the test's own namespace. All tests of a package share one service: that at STANDIN_URL, or a
// program that is started for the first of them and stops with the process.
func New(t testing.TB) *T {
	t.Helper()
	shared.once.Do(func() {
		if os.Getenv("STANDIN_URL") != "" {
			shared.client = Connect("")
			return
		}
		program, err := Start(context.Background(), StartOptions{})
		if err != nil {
			shared.err = err
			return
		}
		shared.client = program.Client
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	client, err := shared.client.Namespace(uniqueName("go"))
	if err != nil {
		t.Fatal(err)
	}
	return &T{client, t}
}

// Endpoint returns where a provider listens: "smtp", or "mail3" for the address that the HTTP providers share.
func (t *T) Endpoint(provider string) Endpoint {
	t.t.Helper()
	endpoint, err := t.Client.Endpoint(context.Background(), provider)
	t.check(err)
	return endpoint
}

// List returns events, newest first; of one type, or of all if it is "".
func (t *T) List(eventType string, filters Filters) []Event {
	t.t.Helper()
	events, err := t.Client.List(context.Background(), eventType, filters)
	t.check(err)
	return events
}

// Wait waits until enough events match, those already held included, and returns them newest first.
func (t *T) Wait(eventType string, wait Wait) []Event {
	t.t.Helper()
	events, err := t.Client.Wait(context.Background(), eventType, wait)
	t.check(err)
	return events
}

// WaitFor returns the oldest held event that matches, or the next to arrive within 5 seconds.
func (t *T) WaitFor(eventType string, filters Filters) Event {
	t.t.Helper()
	event, err := t.Client.WaitFor(context.Background(), eventType, filters)
	t.check(err)
	return event
}

// Expect returns the matching events in order of capture, as soon as the expectation is met.
func (t *T) Expect(expectation Expectation) []Event {
	t.t.Helper()
	events, err := t.Client.Expect(context.Background(), expectation)
	t.check(err)
	return events
}

// Extract returns the one-time codes, links and tokens in the text of an event.
func (t *T) Extract(event Event) Extracted {
	t.t.Helper()
	extracted, err := t.Client.Extract(context.Background(), event)
	t.check(err)
	return extracted
}

// Clear deletes the events of the namespace, or those that a list with the same filters returns.
func (t *T) Clear(filters Filters) {
	t.t.Helper()
	t.check(t.Client.Clear(context.Background(), filters))
}

// Fault makes a provider fail in this namespace until the test ends.
func (t *T) Fault(fault Fault) *AddedFault {
	t.t.Helper()
	added, err := t.Client.Fault(context.Background(), fault)
	t.check(err)
	t.t.Cleanup(func() {
		// The test may have removed it.
		_ = added.Remove(context.Background())
	})
	return added
}

func (t *T) check(err error) {
	t.t.Helper()
	if err != nil {
		t.t.Fatal(err)
	}
}
