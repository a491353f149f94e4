# The mail package, on Net::SMTP of Ruby's standard library, which begins TLS if the server offers it: an email with each
# kind of authentication. Prints the refusals as JSON.
require "json"
require "mail"

host, port = ARGV
refused = {}
[nil, "plain", "login"].each do |authentication|
  settings = { address: host, port: Integer(port), domain: "ruby.example", enable_starttls_auto: true,
               openssl_verify_mode: "none" }
  settings.merge!(authentication: authentication, user_name: "ada", password: "x") if authentication
  what = authentication || "none"
  mail = Mail.new(charset: "UTF-8") do
    from "Ada Lovelace <ada@example.com>"
    to "Bób <bob@example.com>"
    bcc "hidden@example.com"
    subject "Grüße: #{what}"
    text_part { body "Hällo\n.dot\n" }
    html_part do
      content_type "text/html; charset=UTF-8"
      body "<b>Hällo</b>"
    end
    add_file filename: "ä.bin", content: "\x00\xff".b * 100
  end
  mail.delivery_method :smtp, settings
  begin
    mail.deliver!
  rescue => error
    refused[what] = "#{error.class}: #{error.message}"
  end
end
puts JSON.generate(refused)
