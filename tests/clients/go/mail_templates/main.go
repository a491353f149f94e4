// Stores templates with the Go packages of SendGrid, Mailjet and Resend at the address given, sends mails with them, and
// prints what it saw as JSON.
package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"

	"github.com/mailjet/mailjet-apiv3-go/v4"
	"github.com/mailjet/mailjet-apiv3-go/v4/resources"
	"github.com/resend/resend-go/v3"
	"github.com/sendgrid/rest"
	"github.com/sendgrid/sendgrid-go"
	"github.com/sendgrid/sendgrid-go/helpers/mail"
)

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func sendgridCalls(base string) map[string]any {
	call := func(method rest.Method, path string, body any) map[string]any {
		request := sendgrid.GetRequest("SG.go", path, base)
		request.Method = method
		request.Body = must(json.Marshal(body))
		answer := must(sendgrid.MakeRequest(request))
		var parsed map[string]any
		must(0, json.Unmarshal([]byte(answer.Body), &parsed))
		parsed["status"] = answer.StatusCode
		return parsed
	}
	template := call(rest.Post, "/v3/templates", map[string]string{"name": "Order", "generation": "dynamic"})
	id := template["id"].(string)
	versions := "/v3/templates/" + id + "/versions"
	version := call(rest.Post, versions, map[string]string{
		"name": "One", "subject": "Order {{order}}", "html_content": "<p>{{#each items}}{{this}};{{/each}}</p>",
	})
	wrong := call(rest.Post, versions, map[string]string{"subject": "x"})
	message := mail.NewV3Mail()
	message.SetFrom(mail.NewEmail("S", "s@example.com"))
	message.SetTemplateID(id)
	person := mail.NewPersonalization()
	person.AddTos(mail.NewEmail("", "a@example.com"))
	person.SetDynamicTemplateData("order", 7)
	person.SetDynamicTemplateData("items", []string{"tea", "milk"})
	message.AddPersonalizations(person)
	client := sendgrid.NewSendClient("SG.go")
	client.BaseURL = base + "/v3/mail/send"
	sent := must(client.Send(message))
	return map[string]any{
		"template": template["status"], "active": version["active"], "wrong": wrong["status"], "sent": sent.StatusCode,
	}
}

func mailjetCalls(base string) map[string]any {
	client := mailjet.NewMailjetClient("key", "secret", base+"/v3")
	var made []resources.Template
	must(0, client.Post(&mailjet.FullRequest{
		Info:    &mailjet.Request{Resource: "template"},
		Payload: &resources.Template{Name: "Order", Purposes: []string{"transactional"}},
	}, &made))
	var content []resources.TemplateDetailcontent
	must(0, client.Post(&mailjet.FullRequest{
		Info: &mailjet.Request{Resource: "template", ID: made[0].ID, Action: "detailcontent"},
		Payload: &resources.TemplateDetailcontent{
			Headers:  map[string]string{"From": "pilot@example.com", "Subject": "Order {{var:order}}"},
			TextPart: "Dear {{var:name:\"friend\"}}",
		},
	}, &content))
	send := func(id int) (*mailjet.ResultsV31, error) {
		return client.SendMailV31(&mailjet.MessagesV31{Info: []mailjet.InfoMessagesV31{{
			To: &mailjet.RecipientsV31{{Email: "a@example.com"}}, TemplateID: id, TemplateLanguage: true,
			Variables: map[string]any{"order": 7},
		}}})
	}
	sent := must(send(int(made[0].ID)))
	_, err := send(999)
	return map[string]any{
		"name": made[0].Name, "text": content[0].TextPart, "sent": sent.ResultsV31[0].Status,
		"refused": fmt.Sprint(err),
	}
}

func resendCalls(base string) map[string]any {
	client := resend.NewClient("re_go")
	client.BaseURL = must(url.Parse(base + "/"))
	template := must(client.Templates.Create(&resend.CreateTemplateRequest{
		Name: "Order", Alias: "order", From: "s@example.com", Subject: "Order {{{ORDER}}}", Html: "<p>Hi {{{NAME}}}</p>",
		Variables: []*resend.TemplateVariable{
			{Key: "ORDER", Type: resend.VariableTypeNumber},
			{Key: "NAME", Type: resend.VariableTypeString, FallbackValue: "friend"},
		},
	}))
	request := &resend.SendEmailRequest{
		From: "s@example.com", To: []string{"a@example.com"},
		Template: &resend.EmailTemplate{Id: "order", Variables: map[string]any{"ORDER": 7}},
	}
	_, early := client.Emails.Send(request)
	must(client.Templates.Publish(template.Id))
	sent := must(client.Emails.Send(request))
	return map[string]any{
		"sent": sent.Id, "early": early.Error(), "fetched": must(client.Templates.Get("order")).Name,
	}
}

func main() {
	seen := map[string]any{
		"sendgrid": sendgridCalls(os.Args[1]),
		"mailjet":  mailjetCalls(os.Args[1]),
		"resend":   resendCalls(os.Args[1]),
	}
	must(0, json.NewEncoder(os.Stdout).Encode(seen))
}
