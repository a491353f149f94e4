module standin/clients/mail_templates

go 1.24

require (
	github.com/mailjet/mailjet-apiv3-go/v4 v4.0.7
	github.com/resend/resend-go/v3 v3.1.1
	github.com/sendgrid/rest v2.6.9+incompatible
	github.com/sendgrid/sendgrid-go v3.16.1+incompatible
)

require golang.org/x/net v0.38.0 // indirect
