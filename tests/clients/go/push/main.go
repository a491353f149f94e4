// Sends pushes with the APNs and FCM clients of Go to the addresses given, and prints what they saw as JSON.
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"time"

	firebase "firebase.google.com/go/v4"
	"firebase.google.com/go/v4/errorutils"
	"firebase.google.com/go/v4/messaging"
	"github.com/sideshow/apns2"
	"github.com/sideshow/apns2/payload"
	"github.com/sideshow/apns2/token"
	"golang.org/x/net/http2"
	"golang.org/x/oauth2"
	"google.golang.org/api/option"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func providerToken() *token.Token {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(err)
	return &token.Token{AuthKey: key, KeyID: "ABC123DEFG", TeamID: "TEAM123456"}
}

// push sends two good pushes and a bad one.
func push(client *apns2.Client) []any {
	seen := []any{}
	send := func(notification *apns2.Notification) {
		answer, err := client.Push(notification)
		check(err)
		seen = append(seen, []any{answer.StatusCode, answer.Reason, answer.ApnsID})
	}
	id := "123e4567-e89b-12d3-a456-42661417400A"
	send(&apns2.Notification{
		ApnsID: id, DeviceToken: "go-1", Topic: "com.example.app", CollapseID: "c",
		Expiration: time.Unix(1700000000, 0), Priority: apns2.PriorityHigh, PushType: apns2.PushTypeAlert,
		Payload: payload.NewPayload().AlertTitle("T").AlertBody("B").Badge(2).Custom("k", 1),
	})
	send(&apns2.Notification{
		ApnsID: id, DeviceToken: "go-2", Topic: "com.example.app", PushType: apns2.PushTypeBackground,
		Payload: payload.NewPayload().ContentAvailable(),
	})
	send(&apns2.Notification{ApnsID: id, DeviceToken: "go-3", Payload: payload.NewPayload().Alert("x")})
	return seen
}

func overTLS(address string, roots *x509.CertPool) []any {
	client := apns2.NewTokenClient(providerToken())
	client.Host = "https://" + address
	client.HTTPClient.Transport.(*http2.Transport).TLSClientConfig = &tls.Config{RootCAs: roots}
	client.HTTPClient.Transport.(*http2.Transport).DialTLSContext = nil
	client.HTTPClient.Transport.(*http2.Transport).DialTLS = nil
	return push(client)
}

func inTheClear(address string) []any {
	client := apns2.NewTokenClient(providerToken())
	client.Host = "http://" + address
	client.HTTPClient = &http.Client{Transport: &http2.Transport{
		AllowHTTP: true,
		DialTLSContext: func(ctx context.Context, network, addr string, _ *tls.Config) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, addr)
		},
	}}
	return push(client)
}

func fcm(address string) map[string]any {
	ctx := context.Background()
	source := oauth2.StaticTokenSource(&oauth2.Token{AccessToken: "go-token"})
	app, err := firebase.NewApp(ctx, &firebase.Config{ProjectID: "demo"},
		option.WithEndpoint("http://"+address+"/v1"), option.WithTokenSource(source))
	check(err)
	client, err := app.Messaging(ctx)
	check(err)
	ttl := 90 * time.Second
	sent, err := client.Send(ctx, &messaging.Message{
		Token:        "go-fcm",
		Notification: &messaging.Notification{Title: "Go", Body: "B"},
		Android:      &messaging.AndroidConfig{TTL: &ttl, Priority: "high", CollapseKey: "k"},
		Data:         map[string]string{"a": "b"},
	})
	check(err)
	dry, err := client.SendDryRun(ctx, &messaging.Message{Topic: "news"})
	check(err)
	batch, err := client.SendEach(ctx, []*messaging.Message{
		{Condition: "'a' in topics"},
		{Token: "t", Data: map[string]string{"k": string(make([]byte, 5000))}},
	})
	check(err)
	failed := batch.Responses[1].Error
	return map[string]any{
		"sent": sent, "dry": dry, "batch": []int{batch.SuccessCount, batch.FailureCount},
		"failed": []any{errorutils.IsInvalidArgument(failed), messaging.IsInvalidArgument(failed), failed.Error()},
	}
}

func main() {
	address := os.Args[1]
	ca, err := os.ReadFile(os.Args[2])
	check(err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ca)
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"tls": overTLS(address, roots), "h2c": inTheClear(address), "fcm": fcm(address),
	}))
}
