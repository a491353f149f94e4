package standintest

import (
	"encoding/json"
	"fmt"
	"time"
)

// Event is one captured item.
type Event struct {
	// ID is 24 lower-case hex digits; it sorts by time.
	ID string `json:"id"`
	// Type is the kind of item, such as mail.message.
	Type     string `json:"type"`
	Plugin   string `json:"plugin"`
	Provider string `json:"provider"`
	// Namespace is that of the sender, or "".
	Namespace  string    `json:"namespace"`
	ReceivedAt time.Time `json:"received_at"`
	// Summary is one line.
	Summary string `json:"summary"`
	// Payload is the item in the model of its plugin; see Decode.
	Payload map[string]any `json:"payload"`
	// Meta has further facts of the provider.
	Meta map[string]any `json:"meta"`
	// Raw is what was received.
	Raw map[string]any `json:"raw"`
	// URL is the page of the user interface about it.
	URL string `json:"url"`
	// Extracted is set for events that were waited for or expected.
	Extracted *Extracted `json:"extracted"`
}

// Decode reads the payload into a type of your own, with the field names of its JSON.
func (e Event) Decode(into any) error {
	text, err := json.Marshal(e.Payload)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// Extracted is what a person would copy from a text.
type Extracted struct {
	// Codes are one-time codes, the most likely first.
	Codes []string `json:"codes"`
	// Links are in order.
	Links []string `json:"links"`
	// Tokens are those in links that identify the recipient.
	Tokens []string `json:"tokens"`
}

// Filters are parameters of the service, such as to and subject of emails. It refuses one that it does not know.
type Filters map[string]any

// Wait says how long to wait, and for how many events.
type Wait struct {
	Filters Filters
	// Timeout is 5 seconds if it is 0, and at most a minute.
	Timeout time.Duration
	// Count is 1 if it is 0.
	Count int
	// Absent inverts the wait: fewer than Count may match until Timeout is over.
	Absent bool
}

// Range is a number of events. A nil bound is none.
type Range struct {
	Min *int `json:"min,omitempty"`
	Max *int `json:"max,omitempty"`
}

// Pattern describes one event of an order.
type Pattern struct {
	Type string
	// Match has conditions by path, such as "to[0].email" or "codes[*]": a value, or a map of equals, contains, regex,
	// exists and not.
	Match   map[string]any
	Filters Filters
}

// Expectation describes past or future events.
type Expectation struct {
	// Pattern is that of every event, unless there is an Order.
	Pattern
	// Count is the exact number of events; at least one if it is nil. See also Between.
	Count *int
	// Between is a range of numbers, instead of Count.
	Between *Range
	// None means that no event may match.
	None bool
	// Order has events that must come in this order.
	Order []Pattern
	// Timeout is 5 seconds if it is nil, and at most a minute.
	Timeout *time.Duration
}

// Times is a Count.
func Times(count int) *int { return &count }

// Within is the Timeout of an expectation.
func Within(timeout time.Duration) *time.Duration { return &timeout }

// Fault is a rule that makes a provider fail.
type Fault struct {
	// On is plugin/provider, such as mail/mail2.
	On string
	// Outcomes has one for every match, then the provider works as usual. A single one applies to every match.
	Outcomes []string
	// More has further parts of the rule, such as "times": 2 or "with": map[string]any{"retry_after": 2}.
	More map[string]any
}

// Endpoint is where a provider listens.
type Endpoint struct {
	// URL is such as smtp://localhost:1025.
	URL  string
	Host string
	Port int
}

func (p Pattern) body() (map[string]any, error) {
	body := map[string]any{}
	for name, value := range p.Filters {
		if value == nil || value == "" {
			return nil, fmt.Errorf("cannot use %q: it is empty; leave it out", name)
		}
		body[name] = value
	}
	if p.Type != "" {
		body["type"] = p.Type
	}
	if p.Match != nil {
		body["match"] = p.Match
	}
	return body, nil
}

func (e Expectation) body() (map[string]any, error) {
	body, err := e.Pattern.body()
	if err != nil {
		return nil, err
	}
	if e.Count != nil && e.Between != nil {
		return nil, fmt.Errorf("cannot expect: give Count or Between")
	}
	if e.Count != nil {
		body["count"] = *e.Count
	}
	if e.Between != nil {
		body["count"] = e.Between
	}
	if e.None {
		body["none"] = true
	}
	if e.Timeout != nil {
		body["timeout"] = e.Timeout.Milliseconds()
	}
	if e.Order == nil {
		return body, nil
	}
	order := []map[string]any{}
	for _, pattern := range e.Order {
		one, err := pattern.body()
		if err != nil {
			return nil, err
		}
		order = append(order, one)
	}
	body["order"] = order
	return body, nil
}
