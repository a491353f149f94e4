# Net::FTP of Ruby's standard library: stores, resumes, lists, and asks for the status, which it sends as urgent data.
# Prints what it saw as JSON.
require "json"
require "net/ftp"
require "stringio"

host, port = ARGV
seen = {}
options = { port: Integer(port), username: "ada", password: "x", open_timeout: 10, read_timeout: 10 }
Net::FTP.open(host, **options) do |ftp|
  ftp.storbinary("STOR ü.bin", StringIO.new("0123456789"), 4)
  ftp.mkdir("box")
  ftp.rename("ü.bin", "box/ü.bin")
  seen[:nlst] = ftp.nlst("box").map { |name| name.dup.force_encoding("UTF-8") }
  seen[:size] = ftp.size("box/ü.bin")
  seen[:mlsd] = ftp.mlsd("box").map { |entry| [entry.pathname.dup.force_encoding("UTF-8"), entry.size] }
  seen[:got] = ftp.getbinaryfile("box/ü.bin", nil)
  seen[:status] = ftp.status.lines.map { |line| line[0, 3] }
  seen[:status_of] = ftp.status("box").lines.first[0, 4]
  seen[:pwd] = ftp.pwd
  ftp.storbinary("APPE box/ü.bin", StringIO.new("0123456789ABC"), 4, 10)
  seen[:resumed] = ftp.getbinaryfile("box/ü.bin", nil)
  begin
    ftp.delete("missing")
  rescue Net::FTPPermError => error
    seen[:missing] = error.message[0, 3]
  end
end
Net::FTP.open(host, **options, passive: false) do |ftp|
  ftp.storlines("STOR active.txt", StringIO.new("one\ntwo\n"))
  seen[:active] = ftp.nlst
end
puts JSON.generate(seen)
