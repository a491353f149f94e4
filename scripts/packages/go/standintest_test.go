package standintest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"standin.test/standintest"
)

// mail is what the code under test sends.
type mail struct {
	to      string
	subject string
	key     string
	headers map[string]string
}

// send stands for the code under test.
func send(t testing.TB, ingress string, m mail) int {
	t.Helper()
	if m.key == "" {
		m.key = "re_any"
	}
	body, err := json.Marshal(map[string]string{
		"from": "shop@example.com", "to": m.to, "subject": m.subject, "text": "Your code is 493201.",
	})
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(http.MethodPost, ingress+"/emails", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+m.key)
	request.Header.Set("Content-Type", "application/json")
	for name, value := range m.headers {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	return response.StatusCode
}

func TestAddressCredentialAndHeaderChooseTheNamespace(t *testing.T) {
	t.Parallel()
	standin := standintest.New(t)
	ingress := standin.Endpoint("mail3").URL
	send(t, ingress, mail{to: standin.Address("ada@example.org"), subject: "one"})
	send(t, ingress, mail{to: "bob@example.org", subject: "two", key: standin.Credential("re_any")})
	send(t, ingress, mail{to: "eve@example.org", subject: "three", headers: standin.Headers()})
	events := standin.Wait("mail.message", standintest.Wait{Count: 3})
	for i, subject := range []string{"three", "two", "one"} {
		var payload struct{ Subject string }
		if err := events[i].Decode(&payload); err != nil || payload.Subject != subject {
			t.Errorf("event %d: got %q and %v, want %q", i, payload.Subject, err, subject)
		}
		if events[i].Namespace != standin.Name() {
			t.Errorf("event %d is of namespace %q", i, events[i].Namespace)
		}
	}
	if codes := standin.Extract(standin.List("mail.message", standintest.Filters{"subject": "two"})[0]).Codes; codes[0] != "493201" {
		t.Errorf("got codes %v", codes)
	}
	standin.Clear(standintest.Filters{"plugin": "mail", "subject": "two"})
	if left := len(standin.List("", nil)); left != 2 {
		t.Errorf("%d events are left, want 2", left)
	}
}

func TestAnExpectationThatFailsShowsTheClosestEvent(t *testing.T) {
	t.Parallel()
	standin := standintest.New(t)
	send(t, standin.Endpoint("mail3").URL, mail{to: standin.Address("ada@example.org"), subject: "Welcome"})
	standin.Expect(standintest.Expectation{
		Pattern: standintest.Pattern{Type: "mail.message", Match: map[string]any{"subject": "Welcome"}},
		Count:   standintest.Times(1),
	})
	standin.Expect(standintest.Expectation{Order: []standintest.Pattern{{Match: map[string]any{"codes[0]": "493201"}}}})
	standin.Expect(standintest.Expectation{Pattern: standintest.Pattern{Type: "sms.message"}, None: true})
	_, err := standin.Client.Expect(context.Background(), standintest.Expectation{
		Pattern: standintest.Pattern{Type: "mail.message", Match: map[string]any{"subject": "Bye"}},
		Timeout: standintest.Within(0),
	})
	var failed *standintest.ExpectationError
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), `differs subject: expected "Bye", got "Welcome"`) {
		t.Errorf("got %v", err)
	}
	if failed != nil && failed.Verdict["closest"] == nil {
		t.Error("the verdict names no closest event")
	}
}

func TestWhatIsWrongIsSaidInTheWordsOfTheService(t *testing.T) {
	t.Parallel()
	standin := standintest.New(t)
	ctx := context.Background()
	_, waited := standin.Client.Wait(ctx, "mail.message", standintest.Wait{Timeout: 50 * time.Millisecond})
	var late *standintest.WaitError
	if !errors.As(waited, &late) {
		t.Errorf("got %v", waited)
	}
	_, unknown := standin.Client.List(ctx, "mail.message", standintest.Filters{"subjct": "x"})
	_, empty := standin.Client.List(ctx, "mail.message", standintest.Filters{"subject": ""})
	_, provider := standin.Client.Endpoint(ctx, "smpt")
	_, several := standin.Client.Endpoint(ctx, "http")
	_, name := standin.Client.Namespace("a--b")
	_, away := standintest.Connect("http://127.0.0.1:1").List(ctx, "", nil)
	_, absent := standintest.Start(ctx, standintest.StartOptions{Program: "/there/is/none"})
	for said, err := range map[string]error{
		`did you mean "subject"?`:                     unknown,
		`cannot use "subject": it is empty`:           empty,
		"running are mail/mail1":                      provider,
		"choose one of s3/http, as2/http":             several,
		`cannot use namespace "a--b"`:                 name,
		"cannot reach standin at http://127.0.0.1:1":  away,
		"cannot start /there/is/none":                 absent,
		"Timed out: 0 of 1 events match after 50 ms": waited,
	} {
		if err == nil || !strings.Contains(err.Error(), said) {
			t.Errorf("got %v, want %q", err, said)
		}
	}
}

func TestAFaultHitsOnlyTheNamespaceOfItsTest(t *testing.T) {
	t.Parallel()
	standin := standintest.New(t)
	ingress := standin.Endpoint("mail3").URL
	fault := standin.Fault(standintest.Fault{
		On: "mail/mail3", Outcomes: []string{"rate_limit", "server_error"},
	})
	var got []int
	for range 3 {
		got = append(got, send(t, ingress, mail{to: standin.Address("ada@example.org"), subject: "x"}))
	}
	if fmt.Sprint(got) != "[429 500 200]" {
		t.Errorf("got %v", got)
	}
	if status := send(t, ingress, mail{to: "bob@example.org", subject: "x"}); status != 200 {
		t.Errorf("somebody else got %d", status)
	}
	if hits, err := fault.Hits(context.Background()); err != nil || hits != 2 {
		t.Errorf("got %d hits and %v", hits, err)
	}
}

func TestAProgramIsStartedAndStopped(t *testing.T) {
	t.Parallel()
	if os.Getenv("STANDIN_PROGRAM") == "" {
		t.Skip("STANDIN_PROGRAM names no program")
	}
	ctx := context.Background()
	program, err := standintest.Start(ctx, standintest.StartOptions{Args: []string{"--instance=of-go"}})
	if err != nil {
		t.Fatal(err)
	}
	send(t, program.Ingress, mail{to: "ada@example.org", subject: "Welcome"})
	if _, err := program.WaitFor(ctx, "mail.message", standintest.Filters{"subject": "Welcome"}); err != nil {
		t.Error(err)
	}
	program.Stop()
	if _, err := program.List(ctx, "", nil); err == nil {
		t.Error("it still runs")
	}
	_, err = standintest.Start(ctx, standintest.StartOptions{Args: []string{"--smpt-port=1"}})
	if err == nil || !strings.Contains(err.Error(), "did you mean --smtp-port?") {
		t.Errorf("got %v", err)
	}
	for _, said := range []string{"1", "{}", "ready"} {
		other := filepath.Join(t.TempDir(), "other")
		if err := os.WriteFile(other, []byte("#!/bin/sh\necho '"+said+"'\nexec cat\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		_, err = standintest.Start(ctx, standintest.StartOptions{Program: other})
		if err == nil || !strings.Contains(err.Error(), "instead of where it listens") {
			t.Errorf("%s: got %v", said, err)
		}
	}
}

// Eight tests for each of three workers: they ask for the same thing of the same recipient, and see only their own.
func TestParallel(t *testing.T) {
	for i := range 24 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			standin := standintest.New(t)
			subject := fmt.Sprintf("Order %d", i)
			to := standin.Address("ada@example.org")
			send(t, standin.Endpoint("mail3").URL, mail{to: to, subject: subject})
			standin.Expect(standintest.Expectation{
				Pattern: standintest.Pattern{Type: "mail.message", Match: map[string]any{"subject": subject}},
				Count:   standintest.Times(1),
			})
			if all := standin.List("", nil); len(all) != 1 {
				t.Errorf("the namespace holds %d events, want 1", len(all))
			}
			standin.Clear(nil)
			standin.Expect(standintest.Expectation{Pattern: standintest.Pattern{Type: "mail.message"}, None: true})
		})
	}
}
