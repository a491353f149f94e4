# aws-sdk-s3: objects, checksums, uploads in parts, presigned URLs, versions. Prints what it saw as JSON.
require "aws-sdk-s3"
require "json"
require "net/http"
require "tempfile"

endpoint, = ARGV
Aws.config.update(
  credentials: Aws::Credentials.new("key", "secret"), region: "eu-central-1", endpoint: endpoint,
  force_path_style: true, retry_limit: 0
)
client = Aws::S3::Client.new
bucket = Aws::S3::Resource.new.bucket("ruby")
seen = {}
bucket.create
client.put_object(bucket: "ruby", key: "a b/ü+.txt", body: "hello", metadata: { "x" => "1" }, tagging: "a=1&b=2")
head = client.head_object(bucket: "ruby", key: "a b/ü+.txt")
seen[:head] = [head.content_length, head.metadata]
seen[:tags] = client.get_object_tagging(bucket: "ruby", key: "a b/ü+.txt").tag_set.map { |tag| [tag.key, tag.value] }
seen[:sha256] = client.put_object(bucket: "ruby", key: "sums", body: "hello", checksum_algorithm: "SHA256").checksum_sha256
seen[:range] = client.get_object(bucket: "ruby", key: "sums", range: "bytes=1-3").body.read
client.copy_object(bucket: "ruby", key: "copy", copy_source: "ruby/sums")
page = client.list_objects_v2(bucket: "ruby", delimiter: "/")
seen[:list] = [page.common_prefixes.map(&:prefix), page.contents.map(&:key)]
file = Tempfile.new.binmode
file.write("y" * 12_000_000)
file.flush
bucket.object("big").upload_file(file.path, multipart_threshold: 5 * 1024 * 1024)
bucket.object("copied").copy_from({ bucket: "ruby", key: "big" }, multipart_copy: true, content_length: 12_000_000)
bucket.object("stream").upload_stream { |out| out.binmode; 3.times { out << "z" * 4_000_000 } }
seen[:sizes] = %w[big copied stream].map { |key| bucket.object(key).size }
got = Net::HTTP.get_response(URI(bucket.object("sums").presigned_url(:get, response_content_type: "x/y")))
seen[:presigned] = [got.code, got["content-type"], got.body]
post = bucket.presigned_post(key: "form", success_action_status: "201", content_type: "text/plain")
request = Net::HTTP::Post.new(URI(post.url))
request.set_form(post.fields.to_a + [%w[file posted]], "multipart/form-data")
seen[:posted] = Net::HTTP.start(URI(endpoint).host, URI(endpoint).port) { |http| http.request(request).code }
client.put_bucket_versioning(bucket: "ruby", versioning_configuration: { status: "Enabled" })
%w[one two].each { |text| client.put_object(bucket: "ruby", key: "v", body: text) }
client.delete_object(bucket: "ruby", key: "v")
listed = client.list_object_versions(bucket: "ruby", prefix: "v")
seen[:versions] = [listed.versions.length, listed.delete_markers.length]
begin
  client.get_object(bucket: "ruby", key: "v")
rescue Aws::S3::Errors::NoSuchKey => error
  seen[:missing] = error.code
end
bucket.object_versions.batch_delete!
bucket.delete!
seen[:buckets] = client.list_buckets.buckets.map(&:name)
puts JSON.generate(seen)
