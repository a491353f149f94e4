// Sends web pushes with the library of Go: main ENDPOINT P256DH AUTH [WRONG_AUTH]
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	webpush "github.com/SherClockHolmes/webpush-go"
)

type sent struct {
	Status   int    `json:"status"`
	Location string `json:"location"`
	TTL      string `json:"ttl"`
	Body     string `json:"body"`
}

func main() {
	private, public, err := webpush.GenerateVAPIDKeys()
	if err != nil {
		panic(err)
	}
	subscription := &webpush.Subscription{
		Endpoint: os.Args[1],
		Keys:     webpush.Keys{P256dh: os.Args[2], Auth: os.Args[3]},
	}
	var all []sent
	for _, text := range []string{"Hello from Go", "Second"} {
		answer, err := webpush.SendNotification([]byte(text), subscription, &webpush.Options{
			Subscriber:      "ada@example.org",
			VAPIDPublicKey:  public,
			VAPIDPrivateKey: private,
			TTL:             30,
			Topic:           "greeting",
			Urgency:         webpush.UrgencyLow,
		})
		if err != nil {
			panic(err)
		}
		body, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		all = append(all, sent{
			answer.StatusCode,
			answer.Header.Get("Location"),
			answer.Header.Get("TTL"),
			string(body),
		})
	}
	text, _ := json.Marshal(all)
	fmt.Println(string(text))
}
