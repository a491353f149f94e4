# net-sftp: stores a file and a folder, lists and reads them. Prints what it saw as JSON.
require "fileutils"
require "json"
require "net/sftp"

host, port, folder = ARGV
seen = {}
options = { port: Integer(port), password: "x", verify_host_key: :never, non_interactive: true, timeout: 10 }
FileUtils.mkdir_p("#{folder}/up/x")
File.write("#{folder}/up/x/1", "one")
File.binwrite("#{folder}/big", "b" * 300_000)
Net::SFTP.start(host, "ada", **options) do |sftp|
  sftp.upload!("#{folder}/big", "/big")
  sftp.mkdir!("/box")
  sftp.rename!("/big", "/box/big")
  sftp.upload!("#{folder}/up", "/up")
  seen[:tree] = sftp.dir.glob("/up", "**/*").map(&:name).sort
  seen[:size] = sftp.stat!("/box/big").size
  sftp.download!("/box/big", "#{folder}/down")
  seen[:same] = File.binread("#{folder}/down") == File.binread("#{folder}/big")
  begin
    sftp.stat!("/missing")
  rescue Net::SFTP::StatusException => error
    seen[:missing] = error.code
  end
end
puts JSON.generate(seen)
