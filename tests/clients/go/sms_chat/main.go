// Makes the calls of the vendors' Go packages against the address given, and prints what it saw as JSON.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"

	teams "github.com/atc0005/go-teams-notify/v2"
	"github.com/atc0005/go-teams-notify/v2/adaptivecard"
	"github.com/atc0005/go-teams-notify/v2/messagecard"
	"github.com/slack-go/slack"
	"github.com/twilio/twilio-go/client"
	api "github.com/twilio/twilio-go/rest/api/v2010"
	verify "github.com/twilio/twilio-go/rest/verify/v2"
)

const account = "AC00000000000000000000000000000000"

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

func twilioCalls(base *url.URL) map[string]any {
	handler := func(token string) *client.RequestHandler {
		basic := &client.Client{Credentials: client.NewCredentials(account, token), HTTPClient: &http.Client{Transport: redirect{base}}}
		basic.SetAccountSid(account)
		return client.NewRequestHandler(basic)
	}
	connect := func(token string) *api.ApiService { return api.NewApiService(handler(token)) }
	service := connect("secret")
	create := func(to string, body string) (*api.ApiV2010Message, error) {
		return service.CreateMessage((&api.CreateMessageParams{}).SetTo(to).SetFrom("+15017122661").SetBody(body))
	}
	sent := must(create("+15558675310", "hello go & €"))
	for number := range 3 {
		must(create("+15550001111", fmt.Sprint("n", number)))
	}
	listed := must(service.ListMessage((&api.ListMessageParams{}).SetTo("+15550001111").SetPageSize(2)))
	bodies := []string{}
	for _, message := range listed {
		bodies = append(bodies, *message.Body)
	}
	fetched := must(service.FetchMessage(*sent.Sid, nil))
	code := func(err error) any {
		if refused, ok := err.(*client.TwilioRestError); ok {
			return []int{refused.Status, refused.Code}
		}
		return fmt.Sprint(err)
	}
	_, nobody := create("nobody", "x")
	_, wrong := connect("wrong").FetchMessage(*sent.Sid, nil)
	return map[string]any{
		"sent": []any{*sent.Status, *sent.NumSegments}, "listed": bodies, "fetched": *fetched.Body,
		"nobody": code(nobody), "wrong": code(wrong), "verified": verifyCalls(handler("secret")),
	}
}

// verifyCalls starts a verification with a code of its own, and checks a wrong one and the right one.
func verifyCalls(handler *client.RequestHandler) []string {
	const id, to = "VA00000000000000000000000000000001", "+15558675310"
	service := verify.NewApiService(handler)
	params := (&verify.CreateVerificationParams{}).SetTo(to).SetChannel("sms").SetCustomCode("424242")
	seen := []string{*must(service.CreateVerification(id, params)).Status}
	for _, code := range []string{"1111", "424242"} {
		check := (&verify.CreateVerificationCheckParams{}).SetTo(to).SetCode(code)
		seen = append(seen, *must(service.CreateVerificationCheck(id, check)).Status)
	}
	return seen
}

func slackCalls(base string) map[string]any {
	service := slack.New("xoxb-go", slack.OptionAPIURL(base+"/api/"))
	auth := must(service.AuthTest())
	block := slack.NewSectionBlock(slack.NewTextBlockObject("mrkdwn", "*b* é", false, false), nil, nil)
	channel, ts, err := service.PostMessage("C123", slack.MsgOptionText("root", false), slack.MsgOptionBlocks(block))
	must(channel, err)
	_, _, err = service.PostMessage("C123", slack.MsgOptionText("re", false), slack.MsgOptionTS(ts))
	must("", err)
	_, _, refused := service.PostMessage("C123")
	workspace := slackWorkspace(service)
	hook := slack.PostWebhook(base+"/services/T1/B1/X", &slack.WebhookMessage{Text: "hook"})
	return map[string]any{"auth": auth.Team, "channel": channel, "refused": fmt.Sprint(refused), "hook": fmt.Sprint(hook), "workspace": workspace}
}

// slackWorkspace changes, reads back and shares, and is refused.
func slackWorkspace(service *slack.Client) map[string]any {
	channel, ts, err := service.PostMessage("#general", slack.MsgOptionText("one", false))
	must(channel, err)
	_, _, text, err := service.UpdateMessage(channel, ts, slack.MsgOptionText("uno", false))
	must(text, err)
	must("", service.AddReaction("tada", slack.NewRefToMessage(channel, ts)))
	history := must(service.GetConversationHistory(&slack.GetConversationHistoryParameters{ChannelID: channel}))
	message := history.Messages[0]
	file := must(service.UploadFile(slack.UploadFileParameters{
		Channel: channel, Content: "hello é", Filename: "a.txt", FileSize: 8, InitialComment: "see",
	}))
	channels, _, err := service.GetConversations(&slack.GetConversationsParameters{})
	names := []string{}
	for _, one := range must(channels, err) {
		names = append(names, one.Name)
	}
	user := must(service.GetUserByEmail("grace@example.com"))
	_, _, late := service.ScheduleMessage(channel, "1", slack.MsgOptionText("x", false))
	_, _, err = service.DeleteMessage(channel, ts)
	must("", err)
	_, _, gone := service.DeleteMessage(channel, ts)
	return map[string]any{
		"updated": text, "history": []string{message.Text, message.Reactions[0].Name}, "file": file.Title,
		"channels": len(names), "user": user.Name, "late": fmt.Sprint(late), "gone": fmt.Sprint(gone),
	}
}

func teamsCalls(base string) map[string]any {
	service := teams.NewTeamsClient()
	service.SkipWebhookURLValidationOnSend(true)
	address := base + "/webhookb2/1@2/IncomingWebhook/3/4"
	card := messagecard.NewMessageCard()
	card.Title, card.Text = "T", "hello"
	adaptive := must(adaptivecard.NewSimpleMessage("hi", "Title", true))
	return map[string]any{"connector": fmt.Sprint(service.Send(address, card)), "workflow": fmt.Sprint(service.Send(address, adaptive))}
}

func main() {
	base := must(url.Parse(os.Args[1]))
	seen := map[string]any{"twilio": twilioCalls(base), "slack": slackCalls(os.Args[1]), "teams": teamsCalls(os.Args[1])}
	fmt.Println(string(must(json.Marshal(seen))))
}
