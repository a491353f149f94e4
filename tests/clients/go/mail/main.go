// Makes the calls of the vendors' Go packages against the address given, and prints what it saw as JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sesv2/types"
	"github.com/mailgun/mailgun-go/v4"
	"github.com/mrz1836/postmark"
)

const domain = "mg.example.com"

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func postmarkCalls(ctx context.Context, base string) map[string]any {
	client := postmark.NewClient("go", "")
	client.BaseURL = base
	email := postmark.Email{
		From: "Acme <a@example.com>", To: "b@example.com", Subject: "Grüße & €", TextBody: "Hello", Tag: "welcome",
		Headers: []postmark.Header{{Name: "X-A", Value: "1"}},
	}
	sent := must(client.SendEmail(ctx, email))
	email.To = "nobody"
	batch := must(client.SendEmailBatch(ctx, []postmark.Email{email}))
	_, err := client.SendEmail(ctx, email)
	messages, total, listErr := client.GetOutboundMessages(ctx, 10, 0, map[string]any{"tag": "welcome"})
	if listErr != nil {
		fmt.Fprintln(os.Stderr, listErr)
		os.Exit(1)
	}
	template := must(client.CreateTemplate(ctx, postmark.Template{
		Name: "Order", Subject: "Order {{order}}", HTMLBody: "<p>{{#items}}{{name}};{{/items}}</p>", TextBody: "Hi {{who}}",
	}))
	written := must(client.SendTemplatedEmail(ctx, postmark.TemplatedEmail{
		From: "a@example.com", To: "b@example.com", TemplateID: template.TemplateID,
		TemplateModel: map[string]any{
			"order": 7, "who": "Ada", "items": []map[string]any{{"name": "tea"}, {"name": "milk"}},
		},
	}))
	_, absent := client.SendTemplatedEmail(ctx, postmark.TemplatedEmail{
		From: "a@example.com", To: "b@example.com", TemplateAlias: "absent", TemplateModel: map[string]any{"order": 7},
	})
	return map[string]any{
		"sent": sent.MessageID, "batch": batch[0].ErrorCode, "refused": err.Error(),
		"listed":   []any{total, messages[0].Subject},
		"template": []any{template.Name, written.MessageID, fmt.Sprint(absent)},
	}
}

func mailgunCalls(ctx context.Context, base string) map[string]any {
	client := mailgun.NewMailgun(domain, "go")
	client.SetAPIBase(base + "/v3")
	message := mailgun.NewMessage("Acme <a@example.com>", "Grüße %recipient.name%", "Hello", "b@example.com")
	must(0, message.AddRecipientAndVariables("c@example.com", map[string]any{"name": "Cy"}))
	must(0, message.AddTag("one"))
	message.AddBufferAttachment("a.txt", []byte("hello"))
	text, id, err := client.Send(ctx, message)
	must(text, err)
	_, _, err = client.Send(ctx, mailgun.NewMessage("a@example.com", "x", "x", "nobody"))
	var refused *mailgun.UnexpectedResponseError
	errors.As(err, &refused)
	must(0, client.CreateTemplate(ctx, &mailgun.Template{
		Name: "welcome", Version: mailgun.TemplateVersion{Template: "Hi {{name}}", Tag: "v1"},
	}))
	template := must(client.GetTemplate(ctx, "welcome"))
	stored := mailgun.NewMessage("a@example.com", "Order 7", "", "b@example.com")
	stored.SetTemplate("welcome")
	must(0, stored.AddTemplateVariable("name", "Ada"))
	_, written, err := client.Send(ctx, stored)
	must(written, err)
	stored.SetTemplate("absent")
	_, _, err = client.Send(ctx, stored)
	var absent *mailgun.UnexpectedResponseError
	errors.As(err, &absent)
	return map[string]any{
		"sent": []string{text, id}, "refused": refused.Actual, "template": template.Version.Template,
		"written": written, "absent": []any{absent.Actual, string(absent.Data)},
	}
}

func sesCalls(ctx context.Context, base string) map[string]any {
	client := sesv2.New(sesv2.Options{
		Region: "eu-west-1", BaseEndpoint: aws.String(base),
		Credentials: credentials.NewStaticCredentialsProvider("AKIAGO", "secret", ""),
	})
	send := func(from string) (*sesv2.SendEmailOutput, error) {
		return client.SendEmail(ctx, &sesv2.SendEmailInput{
			FromEmailAddress: aws.String(from),
			Destination:      &types.Destination{ToAddresses: []string{"b@example.com"}},
			Content: &types.EmailContent{Simple: &types.Message{
				Subject: &types.Content{Data: aws.String("Grüße & €")},
				Body:    &types.Body{Text: &types.Content{Data: aws.String("Hello")}},
			}},
		})
	}
	sent := must(send("a@example.com"))
	_, err := send("nobody")
	var refused *types.BadRequestException
	errors.As(err, &refused)
	must(client.CreateEmailTemplate(ctx, &sesv2.CreateEmailTemplateInput{
		TemplateName: aws.String("order"),
		TemplateContent: &types.EmailTemplateContent{
			Subject: aws.String("Order {{order}}"), Html: aws.String("<p>{{#each items}}{{this}};{{/each}}</p>"),
		},
	}))
	render := func(name string) (*sesv2.SendEmailOutput, error) {
		return client.SendEmail(ctx, &sesv2.SendEmailInput{
			FromEmailAddress: aws.String("a@example.com"),
			Destination:      &types.Destination{ToAddresses: []string{"b@example.com"}},
			Content: &types.EmailContent{Template: &types.Template{
				TemplateName: aws.String(name), TemplateData: aws.String(`{"order":7,"items":["tea","milk"]}`),
			}},
		})
	}
	written := must(render("order"))
	_, err = render("absent")
	var absent *types.NotFoundException
	errors.As(err, &absent)
	return map[string]any{
		"sent": *sent.MessageId, "refused": refused.ErrorMessage(),
		"template": []string{*written.MessageId, absent.ErrorMessage()},
	}
}

func main() {
	ctx := context.Background()
	seen := map[string]any{
		"postmark": postmarkCalls(ctx, os.Args[1]),
		"mailgun":  mailgunCalls(ctx, os.Args[1]),
		"ses":      sesCalls(ctx, os.Args[1]),
	}
	must(0, json.NewEncoder(os.Stdout).Encode(seen))
}
