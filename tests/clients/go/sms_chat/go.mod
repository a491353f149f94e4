module standin.example/clients

go 1.26

require (
	github.com/atc0005/go-teams-notify/v2 v2.14.0
	github.com/slack-go/slack v0.35.0
	github.com/twilio/twilio-go v1.31.0
)

require (
	github.com/golang/mock v1.6.0 // indirect
	github.com/gorilla/websocket v1.5.3 // indirect
	github.com/pkg/errors v0.9.1 // indirect
)
