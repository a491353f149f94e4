// Makes the calls of the Go SDK of Amazon SNS against the address given, and prints what it saw as JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sns"
	"github.com/aws/aws-sdk-go-v2/service/sns/types"
)

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func main() {
	ctx := context.Background()
	client := sns.New(sns.Options{
		BaseEndpoint: aws.String(os.Args[1]),
		Region:       "eu-west-1",
		Credentials:  credentials.NewStaticCredentialsProvider("AKIAGO", "secret", ""),
	})
	sent := must(client.Publish(ctx, &sns.PublishInput{
		PhoneNumber: aws.String("+447700900123"),
		Message:     aws.String("Grüße aus Go & €"),
	}))
	topic := must(client.CreateTopic(ctx, &sns.CreateTopicInput{Name: aws.String("orders")}))
	batch := must(client.PublishBatch(ctx, &sns.PublishBatchInput{
		TopicArn: topic.TopicArn,
		PublishBatchRequestEntries: []types.PublishBatchRequestEntry{
			{Id: aws.String("a"), Message: aws.String("one")},
			{Id: aws.String("b"), Message: aws.String("")},
		},
	}))
	_, err := client.Publish(ctx, &sns.PublishInput{
		PhoneNumber: aws.String("nobody"), Message: aws.String("x"),
	})
	var refused *types.InvalidParameterException
	if !errors.As(err, &refused) {
		must(0, fmt.Errorf("unexpected: %w", err))
	}
	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"sent": *sent.MessageId, "topic": *topic.TopicArn, "refused": *refused.Message,
		"batch": []any{*batch.Successful[0].Id, *batch.Failed[0].Id, *batch.Failed[0].Code},
	}))
}
