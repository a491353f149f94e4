// Package shop is a project of somebody else's, with the module from a release: sends a mail and finds it.
package shop

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"standin.test/standintest"
)

func TestStranger(t *testing.T) {
	standin := standintest.New(t)
	to := standin.Address("ada@example.org")
	mail := `{"from":"shop@example.com","to":"` + to + `","subject":"Hello from Go","text":"x"}`
	request, _ := http.NewRequest("POST", standin.Endpoint("mail3").URL+"/emails", strings.NewReader(mail))
	request.Header.Set("Authorization", "Bearer re_any")
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	var payload struct{ Subject string }
	if err := standin.WaitFor("mail.message", standintest.Filters{"to": to}).Decode(&payload); err != nil {
		t.Fatal(err)
	}
	fmt.Println(payload.Subject)
}
