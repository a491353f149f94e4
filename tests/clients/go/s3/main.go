// Every kind of call of the AWS SDK for Go v2, with its default settings; prints what came of it as JSON.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/feature/s3/manager"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"
)

const mib = 1 << 20

var (
	ctx    = context.Background()
	bucket = aws.String("story")
	client *s3.Client
	told   = map[string]any{}
)

func main() {
	client = s3.New(s3.Options{
		BaseEndpoint: aws.String(os.Args[1]),
		Region:       "us-east-1",
		UsePathStyle: true,
		Credentials:  credentials.NewStaticCredentialsProvider("any", "any", ""),
	})
	must(client.CreateBucket(ctx, &s3.CreateBucketInput{Bucket: bucket}))
	told["buckets"] = buckets()
	objects()
	conditions()
	large()
	multipart()
	presigned()
	listings()
	versions()
	must(client.DeleteBucket(ctx, &s3.DeleteBucketInput{Bucket: bucket}))
	told["left"] = len(buckets())
	must(0, json.NewEncoder(os.Stdout).Encode(told))
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func code(err error) string {
	var api smithy.APIError
	if errors.As(err, &api) {
		return api.ErrorCode()
	}
	return fmt.Sprint(err)
}

func status(err error) int {
	var response *awshttp.ResponseError
	if errors.As(err, &response) {
		return response.HTTPStatusCode()
	}
	return 0
}

func buckets() []string {
	names := []string{}
	for _, found := range must(client.ListBuckets(ctx, &s3.ListBucketsInput{})).Buckets {
		names = append(names, *found.Name)
	}
	return names
}

func put(key string, body []byte) {
	must(client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: bucket, Key: aws.String(key), Body: bytes.NewReader(body),
	}))
}

func read(key string) []byte {
	got := must(client.GetObject(ctx, &s3.GetObjectInput{Bucket: bucket, Key: aws.String(key)}))
	defer got.Body.Close()
	return must(io.ReadAll(got.Body))
}

const unicode = "ü +/☃?.txt"

func objects() {
	put("empty", nil)
	told["empty"] = string(read("empty"))
	key := aws.String(unicode)
	must(client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: bucket, Key: key, Body: strings.NewReader("Hello"),
		ContentType: aws.String("text/plain"), Metadata: map[string]string{"colour": "blue"},
	}))
	got := must(client.GetObject(ctx, &s3.GetObjectInput{Bucket: bucket, Key: key}))
	text := must(io.ReadAll(got.Body))
	told["got"] = []string{string(text), got.Metadata["colour"], *got.ContentType}
	part := must(client.GetObject(ctx, &s3.GetObjectInput{
		Bucket: bucket, Key: key, Range: aws.String("bytes=1-3"),
	}))
	told["range"] = string(must(io.ReadAll(part.Body)))
	must(client.CopyObject(ctx, &s3.CopyObjectInput{
		Bucket: bucket, Key: aws.String("copy"),
		CopySource: aws.String("story/%C3%BC%20%2B/%E2%98%83%3F.txt"),
	}))
	told["copied"] = string(read("copy"))
	_, err := client.GetObject(ctx, &s3.GetObjectInput{Bucket: bucket, Key: aws.String("no")})
	told["missing"] = code(err)
}

func conditions() {
	key := aws.String("copy")
	head := must(client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: bucket, Key: key}))
	_, match := client.GetObject(ctx, &s3.GetObjectInput{
		Bucket: bucket, Key: key, IfMatch: aws.String(`"x"`),
	})
	_, none := client.GetObject(ctx, &s3.GetObjectInput{
		Bucket: bucket, Key: key, IfNoneMatch: head.ETag,
	})
	_, write := client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: bucket, Key: key, Body: strings.NewReader("x"), IfNoneMatch: aws.String("*"),
	})
	told["conditions"] = []int{status(match), status(none), status(write)}
}

func large() {
	whole := bytes.Repeat([]byte("0123456789abcdef"), 4*mib)
	put("whole", whole)
	told["whole"] = bytes.Equal(read("whole"), whole)
	parts := whole[:12*mib+1]
	must(manager.NewUploader(client).Upload(ctx, &s3.PutObjectInput{
		Bucket: bucket, Key: aws.String("parts"), Body: bytes.NewReader(parts),
	}))
	out := manager.NewWriteAtBuffer(nil)
	must(manager.NewDownloader(client).Download(ctx, out, &s3.GetObjectInput{
		Bucket: bucket, Key: aws.String("parts"),
	}))
	told["parts"] = bytes.Equal(out.Bytes(), parts)
}

func begin(key string) *string {
	return must(client.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{
		Bucket: bucket, Key: aws.String(key),
	})).UploadId
}

func sendPart(key string, id *string, number int32, body []byte) types.CompletedPart {
	sent := must(client.UploadPart(ctx, &s3.UploadPartInput{
		Bucket: bucket, Key: aws.String(key), UploadId: id, PartNumber: aws.Int32(number),
		Body: bytes.NewReader(body),
	}))
	return types.CompletedPart{
		PartNumber: aws.Int32(number), ETag: sent.ETag, ChecksumCRC32: sent.ChecksumCRC32,
	}
}

func multipart() {
	id := begin("aborted")
	sendPart("aborted", id, 1, []byte("x"))
	uploads := must(client.ListMultipartUploads(ctx, &s3.ListMultipartUploadsInput{Bucket: bucket}))
	told["uploads"] = []string{*uploads.Uploads[0].Key}
	must(client.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{
		Bucket: bucket, Key: aws.String("aborted"), UploadId: id,
	}))
	_, err := client.ListParts(ctx, &s3.ListPartsInput{
		Bucket: bucket, Key: aws.String("aborted"), UploadId: id,
	})
	told["aborted"] = code(err)

	key := aws.String("resumed")
	id = begin("resumed")
	first := sendPart("resumed", id, 1, make([]byte, 5*mib))
	listed := must(client.ListParts(ctx, &s3.ListPartsInput{Bucket: bucket, Key: key, UploadId: id}))
	second := sendPart("resumed", id, 2, []byte("Hello"))
	must(client.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{
		Bucket: bucket, Key: key, UploadId: id,
		MultipartUpload: &types.CompletedMultipartUpload{Parts: []types.CompletedPart{first, second}},
	}))
	told["resumed"] = []int{int(*listed.Parts[0].PartNumber), len(read("resumed"))}
}

func presigned() {
	signer := s3.NewPresignClient(client)
	key := aws.String("signed")
	upload := must(signer.PresignPutObject(ctx, &s3.PutObjectInput{Bucket: bucket, Key: key}))
	request := must(http.NewRequest(upload.Method, upload.URL, strings.NewReader("Hello")))
	must(http.DefaultClient.Do(request)).Body.Close()
	download := must(signer.PresignGetObject(ctx, &s3.GetObjectInput{Bucket: bucket, Key: key}))
	response := must(http.Get(download.URL))
	defer response.Body.Close()
	told["presigned"] = string(must(io.ReadAll(response.Body)))
}

func listings() {
	keys := []string{}
	pages := s3.NewListObjectsV2Paginator(client, &s3.ListObjectsV2Input{
		Bucket: bucket, MaxKeys: aws.Int32(2),
	})
	for pages.HasMorePages() {
		for _, object := range must(pages.NextPage(ctx)).Contents {
			keys = append(keys, *object.Key)
		}
	}
	told["keys"] = keys
	folded := must(client.ListObjectsV2(ctx, &s3.ListObjectsV2Input{
		Bucket: bucket, Delimiter: aws.String("/"),
	}))
	told["prefixes"] = []string{*folded.CommonPrefixes[0].Prefix}
	named := []types.ObjectIdentifier{{Key: aws.String("never")}}
	for _, key := range keys {
		named = append(named, types.ObjectIdentifier{Key: aws.String(key)})
	}
	deleted := must(client.DeleteObjects(ctx, &s3.DeleteObjectsInput{
		Bucket: bucket, Delete: &types.Delete{Objects: named},
	}))
	told["deleted"] = len(deleted.Deleted)
}

func readTag(key *string) string {
	got := must(client.GetObjectTagging(ctx, &s3.GetObjectTaggingInput{Bucket: bucket, Key: key}))
	return *got.TagSet[0].Value
}

func versions() {
	must(client.PutBucketVersioning(ctx, &s3.PutBucketVersioningInput{
		Bucket: bucket,
		VersioningConfiguration: &types.VersioningConfiguration{
			Status: types.BucketVersioningStatusEnabled,
		},
	}))
	key := aws.String("v")
	must(client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: bucket, Key: key, Body: strings.NewReader("one"), Tagging: aws.String("kind=a%20b"),
	}))
	first := readTag(key)
	changed := []types.Tag{{Key: aws.String("colour"), Value: aws.String("dark blue")}}
	must(client.PutObjectTagging(ctx, &s3.PutObjectTaggingInput{
		Bucket: bucket, Key: key, Tagging: &types.Tagging{TagSet: changed},
	}))
	told["tags"] = []string{first, readTag(key)}
	put("v", []byte("two"))
	must(client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: bucket, Key: key}))
	listed := must(client.ListObjectVersions(ctx, &s3.ListObjectVersionsInput{Bucket: bucket}))
	bodies, entries := []string{}, []types.ObjectIdentifier{}
	for _, found := range listed.Versions {
		got := must(client.GetObject(ctx, &s3.GetObjectInput{
			Bucket: bucket, Key: key, VersionId: found.VersionId,
		}))
		bodies = append(bodies, string(must(io.ReadAll(got.Body))))
		entries = append(entries, types.ObjectIdentifier{Key: key, VersionId: found.VersionId})
	}
	for _, found := range listed.DeleteMarkers {
		entries = append(entries, types.ObjectIdentifier{Key: key, VersionId: found.VersionId})
	}
	must(client.DeleteObjects(ctx, &s3.DeleteObjectsInput{
		Bucket: bucket, Delete: &types.Delete{Objects: entries},
	}))
	told["versions"], told["markers"] = bodies, len(listed.DeleteMarkers)
}
