// Package standintest reads and asserts on what a running standin has captured.
//
// In a test, New returns a client of the test's own namespace, whose methods fail the test:
//
//	func TestSignUp(t *testing.T) {
//		t.Parallel()
//		standin := standintest.New(t)
//		to := standin.Address("ada@example.org")
//		signUp(standin.Endpoint("mail3").URL, to)
//		mail := standin.WaitFor("mail.message", standintest.Filters{"to": to, "has": "code"})
//		if mail.Extracted.Codes[0] != "493201" {
//			t.Error("another code")
//		}
//	}
//
// Connect and Start return a Client, whose methods return errors.
package standintest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// defaultTimeout is that of the service.
const defaultTimeout = 5 * time.Second

// margin is how much longer an answer may take than the wait that was asked for.
const margin = 10 * time.Second

// The application under test may be sent to standin by a proxy variable, which is not meant for this.
var direct = &http.Client{Transport: &http.Transport{Proxy: nil, MaxIdleConnsPerHost: 16}}

// RequestError is a refusal of the service, in its words.
type RequestError struct {
	Status  int
	Message string
}

func (e *RequestError) Error() string { return e.Message }

// WaitError says that the events did not arrive in time, and lists what was captured instead.
type WaitError struct{ RequestError }

// ExpectationError describes the difference of an expectation from the closest event.
type ExpectationError struct {
	RequestError
	// Verdict is that of the service: met, count, events, closest.
	Verdict map[string]any
}

// Client reads one service, or one namespace of it. It may be used by several goroutines.
type Client struct {
	url       string
	namespace string
	token     string
}

// Connect returns a client of the service at the URL, or at STANDIN_URL or http://localhost:8811 if it is "".
func Connect(url string) *Client {
	if url == "" {
		url = os.Getenv("STANDIN_URL")
	}
	if url == "" {
		url = "http://localhost:8811"
	}
	return &Client{url: strings.TrimRight(url, "/")}
}

// WithToken returns the same client with the token of [api] token.
func (c *Client) WithToken(token string) *Client {
	return &Client{url: c.url, namespace: c.namespace, token: token}
}

// URL returns the address of the service's pages and API.
func (c *Client) URL() string { return c.url }

// Namespace returns a client of the same service that sees only this namespace.
func (c *Client) Namespace(name string) (*Client, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	return &Client{url: c.url, namespace: name, token: c.token}, nil
}

// Endpoint returns where a provider listens: "smtp", or with its plugin "s3/http".
func (c *Client) Endpoint(ctx context.Context, provider string) (Endpoint, error) {
	var plugins []struct {
		Name      string
		Providers []struct{ Name, URL string }
	}
	if err := c.call(ctx, http.MethodGet, "/plugins", nil, &plugins); err != nil {
		return Endpoint{}, err
	}
	var running, found, urls []string
	for _, plugin := range plugins {
		for _, one := range plugin.Providers {
			if one.URL == "" {
				continue
			}
			name := plugin.Name + "/" + one.Name
			running = append(running, name)
			if provider == name || provider == one.Name {
				found = append(found, name)
				urls = append(urls, one.URL)
			}
		}
	}
	if len(found) == 1 {
		return toEndpoint(urls[0])
	}
	if len(found) > 1 {
		return Endpoint{}, fmt.Errorf("cannot find provider %q: choose one of %s", provider, strings.Join(found, ", "))
	}
	return Endpoint{}, fmt.Errorf("cannot find provider %q: running are %s", provider, strings.Join(running, ", "))
}

func toEndpoint(address string) (Endpoint, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return Endpoint{}, err
	}
	port, err := strconv.Atoi(parsed.Port())
	return Endpoint{URL: address, Host: parsed.Hostname(), Port: port}, err
}

// List returns events, newest first; of one type, or of all if it is "".
func (c *Client) List(ctx context.Context, eventType string, filters Filters) ([]Event, error) {
	query, err := c.query(eventType, filters)
	if err != nil {
		return nil, err
	}
	var events []Event
	err = c.call(ctx, http.MethodGet, "/events"+query, nil, &events)
	return events, err
}

// Event returns one event with its body.
func (c *Client) Event(ctx context.Context, id string) (Event, error) {
	var event Event
	err := c.call(ctx, http.MethodGet, "/events/"+url.PathEscape(id), nil, &event)
	return event, err
}

// Wait waits until enough events match, those already held included, and returns them newest first. It returns a
// *WaitError if that takes too long.
func (c *Client) Wait(ctx context.Context, eventType string, wait Wait) ([]Event, error) {
	filters := Filters{}
	for name, value := range wait.Filters {
		filters[name] = value
	}
	timeout := wait.Timeout
	if timeout == 0 {
		timeout = defaultTimeout
	}
	filters["timeout"] = timeout.Milliseconds()
	if wait.Count != 0 {
		filters["count"] = wait.Count
	}
	if wait.Absent {
		filters["absent"] = true
	}
	query, err := c.query(eventType, filters)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout+margin)
	defer cancel()
	var events []Event
	err = c.call(ctx, http.MethodGet, "/events/wait"+query, nil, &events)
	var refused *RequestError
	if errors.As(err, &refused) && refused.Status == http.StatusConflict {
		return nil, &WaitError{*refused}
	}
	return events, err
}

// WaitFor returns the oldest held event that matches, or the next to arrive. It returns a *WaitError if that takes
// longer than 5 seconds; Wait takes another time.
func (c *Client) WaitFor(ctx context.Context, eventType string, filters Filters) (Event, error) {
	events, err := c.Wait(ctx, eventType, Wait{Filters: filters})
	if err != nil {
		return Event{}, err
	}
	return events[len(events)-1], nil
}

// Expect returns the matching events in order of capture, as soon as the expectation is met, or an *ExpectationError.
func (c *Client) Expect(ctx context.Context, expectation Expectation) ([]Event, error) {
	body, err := expectation.body()
	if err != nil {
		return nil, err
	}
	if _, named := body["namespace"]; !named && c.namespace != "" {
		body["namespace"] = c.namespace
	}
	timeout := defaultTimeout
	if expectation.Timeout != nil {
		timeout = *expectation.Timeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout+margin)
	defer cancel()
	status, answer, err := c.send(ctx, http.MethodPost, "/expect", body)
	if err != nil {
		return nil, err
	}
	if status == http.StatusConflict {
		failed := &ExpectationError{RequestError: *refusal(status, answer, "POST /expect")}
		if err := json.Unmarshal(answer, &failed.Verdict); err != nil {
			return nil, err
		}
		return nil, failed
	}
	if status >= 400 {
		return nil, refusal(status, answer, "POST /expect")
	}
	var verdict struct{ Events []Event }
	err = json.Unmarshal(answer, &verdict)
	return verdict.Events, err
}

// Extract returns the one-time codes, links and tokens in the text of an event.
func (c *Client) Extract(ctx context.Context, event Event) (Extracted, error) {
	if event.Extracted != nil {
		return *event.Extracted, nil
	}
	whole, err := c.Event(ctx, event.ID)
	if err != nil || whole.Extracted == nil {
		return Extracted{}, err
	}
	return *whole.Extracted, nil
}

// Clear deletes all events, or those that a list with the same filters returns.
func (c *Client) Clear(ctx context.Context, filters Filters) error {
	query, err := c.query("", filters)
	if err != nil {
		return err
	}
	return c.call(ctx, http.MethodDelete, "/events"+query, nil, nil)
}

// AddedFault is a fault of the service.
type AddedFault struct {
	// ID is its id.
	ID     string
	client *Client
}

// Fault makes a provider fail from now on, in the namespace of the client unless More names one.
func (c *Client) Fault(ctx context.Context, fault Fault) (*AddedFault, error) {
	body := map[string]any{"on": fault.On}
	switch len(fault.Outcomes) {
	case 0:
	case 1:
		body["outcome"] = fault.Outcomes[0]
	default:
		body["outcome"] = fault.Outcomes
	}
	if c.namespace != "" {
		body["namespace"] = c.namespace
	}
	for name, value := range fault.More {
		body[name] = value
	}
	var added struct{ ID string }
	if err := c.call(ctx, http.MethodPost, "/faults", body, &added); err != nil {
		return nil, err
	}
	return &AddedFault{ID: added.ID, client: c}, nil
}

// Hits returns the matches that became a fault so far.
func (f *AddedFault) Hits(ctx context.Context) (int, error) {
	var record struct{ Hits int }
	err := f.client.call(ctx, http.MethodGet, "/faults/"+url.PathEscape(f.ID), nil, &record)
	return record.Hits, err
}

// Remove removes it.
func (f *AddedFault) Remove(ctx context.Context) error {
	return f.client.call(ctx, http.MethodDelete, "/faults/"+url.PathEscape(f.ID), nil, nil)
}

// Rejected returns rejected and unmatched requests, newest first.
func (c *Client) Rejected(ctx context.Context) ([]map[string]any, error) {
	var rejected []map[string]any
	err := c.call(ctx, http.MethodGet, "/rejected", nil, &rejected)
	return rejected, err
}

// Reset resets the whole service, for everybody who uses it.
func (c *Client) Reset(ctx context.Context) error {
	return c.call(ctx, http.MethodPost, "/reset", nil, nil)
}

// query returns the parameters with their "?".
func (c *Client) query(eventType string, filters Filters) (string, error) {
	values := url.Values{}
	if c.namespace != "" {
		values.Set("namespace", c.namespace)
	}
	if eventType != "" {
		values.Set("type", eventType)
	}
	for name, value := range filters {
		text := fmt.Sprint(value)
		// A parameter without a value would be dropped, and the condition with it.
		if value == nil || text == "" {
			return "", fmt.Errorf("cannot use %q: it is empty; leave it out", name)
		}
		values.Set(name, text)
	}
	if len(values) == 0 {
		return "", nil
	}
	return "?" + values.Encode(), nil
}

// call decodes the answer, and returns a *RequestError for a refusal.
func (c *Client) call(ctx context.Context, method, path string, body, into any) error {
	status, answer, err := c.send(ctx, method, path, body)
	if err != nil {
		return err
	}
	if status >= 400 {
		return refusal(status, answer, method+" "+path)
	}
	if into == nil || len(answer) == 0 {
		return nil
	}
	return json.Unmarshal(answer, into)
}

func (c *Client) send(ctx context.Context, method, path string, body any) (int, []byte, error) {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return 0, nil, err
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.url+"/api/v1"+path, content)
	if err != nil {
		return 0, nil, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	response, err := direct.Do(request)
	if err != nil {
		return 0, nil, fmt.Errorf("cannot reach standin at %s: %w; start it with `standin serve`, or set STANDIN_URL to where it is", c.url, err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return response.StatusCode, answer, err
}

func refusal(status int, answer []byte, what string) *RequestError {
	var said struct{ Error string }
	if json.Unmarshal(answer, &said) == nil && said.Error != "" {
		return &RequestError{status, said.Error}
	}
	return &RequestError{status, fmt.Sprintf("%s was answered %d: %.2000s", what, status, answer)}
}
