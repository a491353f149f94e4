// Every kind of call of minio-go, with its default settings; prints what came of it as JSON.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/tags"
)

const (
	mib     = 1 << 20
	bucket  = "story"
	unicode = "ü +/☃?.txt"
)

var (
	ctx    = context.Background()
	client *minio.Client
	core   minio.Core
	told   = map[string]any{}
)

func main() {
	host := strings.TrimPrefix(os.Args[1], "http://")
	client = must(minio.New(host, &minio.Options{Creds: credentials.NewStaticV4("any", "any", "")}))
	core = minio.Core{Client: client}
	must(0, client.MakeBucket(ctx, bucket, minio.MakeBucketOptions{}))
	told["buckets"] = buckets()
	if len(os.Args) > 2 {
		_, err := client.PutObject(ctx, bucket, "refused", strings.NewReader("x"), 1, minio.PutObjectOptions{})
		told["refused"] = fmt.Sprint(err)
		put("taken", []byte("Hello"), minio.PutObjectOptions{DisableContentSha256: true})
		told["taken"] = string(read("taken"))
	} else {
		story()
	}
	must(0, json.NewEncoder(os.Stdout).Encode(told))
}

func story() {
	objects()
	conditions()
	large()
	multipart()
	presigned()
	listings()
	versions()
	must(0, client.RemoveBucket(ctx, bucket))
	told["left"] = len(buckets())
}

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func buckets() []string {
	names := []string{}
	for _, found := range must(client.ListBuckets(ctx)) {
		names = append(names, found.Name)
	}
	return names
}

func put(key string, body []byte, options minio.PutObjectOptions) {
	must(client.PutObject(ctx, bucket, key, bytes.NewReader(body), int64(len(body)), options))
}

func get(key string, options minio.GetObjectOptions) ([]byte, error) {
	object, err := client.GetObject(ctx, bucket, key, options)
	if err != nil {
		return nil, err
	}
	defer object.Close()
	return io.ReadAll(object)
}

func read(key string) []byte {
	return must(get(key, minio.GetObjectOptions{}))
}

func objects() {
	put("empty", nil, minio.PutObjectOptions{})
	told["empty"] = string(read("empty"))
	put(unicode, []byte("Hello"), minio.PutObjectOptions{
		ContentType: "text/plain", UserMetadata: map[string]string{"colour": "blue"},
	})
	about := must(client.StatObject(ctx, bucket, unicode, minio.StatObjectOptions{}))
	told["got"] = []string{string(read(unicode)), about.UserMetadata["Colour"], about.ContentType}
	part := minio.GetObjectOptions{}
	must(0, part.SetRange(1, 3))
	told["range"] = string(must(get(unicode, part)))
	must(client.CopyObject(ctx,
		minio.CopyDestOptions{Bucket: bucket, Object: "copy"},
		minio.CopySrcOptions{Bucket: bucket, Object: unicode},
	))
	told["copied"] = string(read("copy"))
	_, err := get("no", minio.GetObjectOptions{})
	told["missing"] = minio.ToErrorResponse(err).Code
}

func conditions() {
	about := must(client.StatObject(ctx, bucket, "copy", minio.StatObjectOptions{}))
	match, none := minio.GetObjectOptions{}, minio.GetObjectOptions{}
	must(0, match.SetMatchETag("x"))
	must(0, none.SetMatchETagExcept(about.ETag))
	_, first := get("copy", match)
	_, second := get("copy", none)
	write := minio.PutObjectOptions{}
	write.SetMatchETagExcept("*")
	_, third := client.PutObject(ctx, bucket, "copy", strings.NewReader("x"), 1, write)
	told["conditions"] = []int{status(first), status(second), status(third)}
}

func status(err error) int {
	return minio.ToErrorResponse(err).StatusCode
}

func large() {
	whole := bytes.Repeat([]byte("0123456789abcdef"), 4*mib)
	put("whole", whole, minio.PutObjectOptions{DisableMultipart: true})
	told["whole"] = bytes.Equal(read("whole"), whole)
	parts := whole[:12*mib+1]
	put("parts", parts, minio.PutObjectOptions{PartSize: 5 * mib})
	told["parts"] = bytes.Equal(read("parts"), parts)
}

func sendPart(key, id string, number int, body []byte) minio.CompletePart {
	sent := must(core.PutObjectPart(ctx, bucket, key, id, number, bytes.NewReader(body), int64(len(body)),
		minio.PutObjectPartOptions{}))
	return minio.CompletePart{PartNumber: number, ETag: sent.ETag}
}

func multipart() {
	id := must(core.NewMultipartUpload(ctx, bucket, "aborted", minio.PutObjectOptions{}))
	sendPart("aborted", id, 1, []byte("x"))
	uploads := []string{}
	for upload := range client.ListIncompleteUploads(ctx, bucket, "", true) {
		must(0, upload.Err)
		uploads = append(uploads, upload.Key)
	}
	told["uploads"] = uploads
	must(0, core.AbortMultipartUpload(ctx, bucket, "aborted", id))
	_, err := core.ListObjectParts(ctx, bucket, "aborted", id, 0, 100)
	told["aborted"] = minio.ToErrorResponse(err).Code

	id = must(core.NewMultipartUpload(ctx, bucket, "resumed", minio.PutObjectOptions{}))
	first := sendPart("resumed", id, 1, make([]byte, 5*mib))
	listed := must(core.ListObjectParts(ctx, bucket, "resumed", id, 0, 100))
	second := sendPart("resumed", id, 2, []byte("Hello"))
	must(core.CompleteMultipartUpload(ctx, bucket, "resumed", id, []minio.CompletePart{first, second},
		minio.PutObjectOptions{}))
	told["resumed"] = []int{listed.ObjectParts[0].PartNumber, len(read("resumed"))}
}

func presigned() {
	upload := must(client.PresignedPutObject(ctx, bucket, "signed", time.Minute))
	request := must(http.NewRequest("PUT", upload.String(), strings.NewReader("Hello")))
	must(http.DefaultClient.Do(request)).Body.Close()
	download := must(client.PresignedGetObject(ctx, bucket, "signed", time.Minute, nil))
	response := must(http.Get(download.String()))
	defer response.Body.Close()
	told["presigned"] = string(must(io.ReadAll(response.Body)))
}

func listings() {
	keys := []string{}
	objects := make(chan minio.ObjectInfo, 10)
	for object := range client.ListObjects(ctx, bucket, minio.ListObjectsOptions{Recursive: true, MaxKeys: 2}) {
		must(0, object.Err)
		keys = append(keys, object.Key)
		objects <- object
	}
	told["keys"] = keys
	prefixes := []string{}
	for object := range client.ListObjects(ctx, bucket, minio.ListObjectsOptions{}) {
		if strings.HasSuffix(object.Key, "/") {
			prefixes = append(prefixes, object.Key)
		}
	}
	told["prefixes"] = prefixes
	objects <- minio.ObjectInfo{Key: "never"}
	close(objects)
	deleted := 0
	for result := range client.RemoveObjectsWithResult(ctx, bucket, objects, minio.RemoveObjectsOptions{}) {
		must(0, result.Err)
		deleted++
	}
	told["deleted"] = deleted
}

func readTag(key string) string {
	for _, value := range must(client.GetObjectTagging(ctx, bucket, key, minio.GetObjectTaggingOptions{})).ToMap() {
		return value
	}
	return ""
}

func versions() {
	must(0, client.EnableVersioning(ctx, bucket))
	put("v", []byte("one"), minio.PutObjectOptions{UserTags: map[string]string{"kind": "a b"}})
	first := readTag("v")
	changed := must(tags.NewTags(map[string]string{"colour": "dark blue"}, true))
	must(0, client.PutObjectTagging(ctx, bucket, "v", changed, minio.PutObjectTaggingOptions{}))
	told["tags"] = []string{first, readTag("v")}
	put("v", []byte("two"), minio.PutObjectOptions{})
	must(0, client.RemoveObject(ctx, bucket, "v", minio.RemoveObjectOptions{}))
	bodies, markers := []string{}, 0
	for found := range client.ListObjects(ctx, bucket, minio.ListObjectsOptions{WithVersions: true}) {
		must(0, found.Err)
		if found.IsDeleteMarker {
			markers++
		} else {
			body := must(get("v", minio.GetObjectOptions{VersionID: found.VersionID}))
			bodies = append(bodies, string(body))
		}
		must(0, client.RemoveObject(ctx, bucket, "v", minio.RemoveObjectOptions{VersionID: found.VersionID}))
	}
	told["versions"], told["markers"] = bodies, markers
}
