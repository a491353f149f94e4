// Waits over HTTP for what the twilio package sends, expects it, and prints what it saw as JSON.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/twilio/twilio-go/client"
	api "github.com/twilio/twilio-go/rest/api/v2010"
)

const account = "AC00000000000000000000000000000000"

type event struct {
	Extracted struct{ Codes []string }
}

type verdict struct {
	Closest struct {
		Fields []struct {
			Path string
			Met  bool
		}
	}
}

// redirect sends what is meant for the vendor's host to the address given: the package has no base address to set.
type redirect struct{ base *url.URL }

func (r redirect) RoundTrip(request *http.Request) (*http.Response, error) {
	request.URL.Scheme, request.URL.Host = r.base.Scheme, r.base.Host
	return http.DefaultTransport.RoundTrip(request)
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func read[T any](answer *http.Response) (int, T) {
	defer answer.Body.Close()
	var value T
	must(0, json.NewDecoder(answer.Body).Decode(&value))
	return answer.StatusCode, value
}

func main() {
	base, at := must(url.Parse(os.Args[1])), os.Args[2]+"/api/v1"
	expect := func(body string) (int, verdict) {
		match := map[string]any{"payload.body": body, "codes[0]": "482913"}
		text := must(json.Marshal(map[string]any{"type": "sms.message", "match": match, "timeout": 0}))
		return read[verdict](must(http.Post(at+"/expect", "application/json", strings.NewReader(string(text)))))
	}
	waiting := make(chan *http.Response)
	go func() {
		waiting <- must(http.Get(at + "/events/wait?type=sms.message&has=code&timeout=20s"))
	}()
	basic := &client.Client{Credentials: client.NewCredentials(account, "secret"), HTTPClient: &http.Client{Transport: redirect{base}}}
	basic.SetAccountSid(account)
	service := api.NewApiService(client.NewRequestHandler(basic))
	params := &api.CreateMessageParams{}
	must(service.CreateMessage(params.SetTo("+15558675310").SetFrom("+15017122661").SetBody("482913 is your code")))
	status, events := read[[]event](<-waiting)
	met, _ := expect("482913 is your code")
	missed, told := expect("Your code is 482913")
	closest := [][]any{}
	for _, field := range told.Closest.Fields {
		closest = append(closest, []any{field.Path, field.Met})
	}
	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"waited":  []any{status, events[0].Extracted.Codes},
		"met":     met,
		"missed":  missed,
		"closest": closest,
	}))
}
