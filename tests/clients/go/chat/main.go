// Posts with discordgo and telegram-bot-api against the address given, and prints what it saw as JSON.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/bwmarrin/discordgo"
	telegram "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

const hook = "1234567890123456789"

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func discordCalls(base string) map[string]any {
	discordgo.EndpointWebhooks = base + "/api/v9/webhooks/"
	session := must(discordgo.New(""))
	session.MaxRestRetries = 0
	sent := must(session.WebhookExecute(hook, "token", true, &discordgo.WebhookParams{
		Content: "hello go & €", Username: "deploy",
		Embeds: []*discordgo.MessageEmbed{{Title: "T", Fields: []*discordgo.MessageEmbedField{{Name: "n", Value: "v"}}}},
		Files:  []*discordgo.File{{Name: "a.txt", ContentType: "text/plain", Reader: strings.NewReader("bytes é")}},
	}))
	changed := "changed"
	edited := must(session.WebhookMessageEdit(hook, "token", sent.ID, &discordgo.WebhookEdit{Content: &changed}))
	must("", session.WebhookMessageDelete(hook, "token", sent.ID))
	_, err := session.WebhookMessage(hook, "token", sent.ID)
	var refused *discordgo.RESTError
	errors.As(err, &refused)
	return map[string]any{
		"sent":   []any{sent.Content, sent.Author.Username, sent.Embeds[0].Title, sent.Attachments[0].Filename},
		"edited": []any{edited.Content, edited.EditedTimestamp != nil},
		"gone":   []any{refused.Response.StatusCode, refused.Message.Code},
	}
}

func telegramCalls(base string) map[string]any {
	bot := must(telegram.NewBotAPIWithAPIEndpoint("123456:any", base+"/bot%s/%s"))
	sent := must(bot.Send(telegram.NewMessage(4242, "hello go & €")))
	edited := must(bot.Send(telegram.NewEditMessageText(4242, sent.MessageID, "changed")))
	file := telegram.FileBytes{Name: "a.txt", Bytes: []byte("bytes é")}
	document := must(bot.Send(telegram.NewDocument(4242, file)))
	updates := must(bot.GetUpdates(telegram.NewUpdate(0)))
	must(bot.Request(telegram.NewDeleteMessage(4242, sent.MessageID)))
	_, gone := bot.Request(telegram.NewDeleteMessage(4242, sent.MessageID))
	return map[string]any{
		"me": bot.Self.ID, "sent": sent.Text, "edited": edited.Text, "document": document.Document.FileName,
		"updates": len(updates), "gone": fmt.Sprint(gone),
	}
}

func main() {
	base := os.Args[1]
	seen := map[string]any{"discord": discordCalls(base), "telegram": telegramCalls(base)}
	fmt.Println(string(must(json.Marshal(seen))))
}
