// jlaffaye/ftp, in the clear and within TLS, pkg/sftp and go-mail. Prints what it saw as JSON.
// program FTP_PORT SFTP_PORT SMTP_PORT
package main

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/jlaffaye/ftp"
	"github.com/pkg/sftp"
	"github.com/wneessen/go-mail"
	"golang.org/x/crypto/ssh"
)

const host = "127.0.0.1"

var content = bytes.Repeat([]byte("0123456789"), 30_000)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func overFtp(port string, options ...ftp.DialOption) map[string]any {
	conn, err := ftp.Dial(host+":"+port, append(options, ftp.DialWithTimeout(20*time.Second))...)
	check(err)
	check(conn.Login("ada", "x"))
	check(conn.Stor("ä.part", bytes.NewReader(content)))
	check(conn.MakeDir("box"))
	check(conn.Rename("ä.part", "box/done"))
	check(conn.Append("box/done", bytes.NewReader([]byte("!"))))
	when := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	check(conn.SetTime("box/done", when))
	response, err := conn.RetrFrom("box/done", 10)
	check(err)
	got, err := io.ReadAll(response)
	check(err)
	check(response.Close())
	size, err := conn.FileSize("box/done")
	check(err)
	modified, err := conn.GetTime("box/done")
	check(err)
	list, err := conn.List("box")
	check(err)
	_, missing := conn.Retr("missing")
	check(conn.RemoveDirRecur("box"))
	check(conn.Quit())
	return map[string]any{
		"same": bytes.Equal(got, append(content[10:len(content):len(content)], '!')), "size": size,
		"modified": modified.Equal(when), "list": list[0].Name, "missing": missing.Error(),
	}
}

func overSftp(port string) map[string]any {
	conn, err := ssh.Dial("tcp", host+":"+port, &ssh.ClientConfig{
		User: "ada", Auth: []ssh.AuthMethod{ssh.Password("x")}, HostKeyCallback: ssh.InsecureIgnoreHostKey(),
	})
	check(err)
	client, err := sftp.NewClient(conn, sftp.UseConcurrentWrites(true), sftp.UseConcurrentReads(true))
	check(err)
	file, err := client.Create("/go.part")
	check(err)
	_, err = file.ReadFrom(bytes.NewReader(content))
	check(err)
	check(file.Close())
	check(client.MkdirAll("/a/b"))
	check(client.PosixRename("/go.part", "/a/b/done"))
	check(client.Chmod("/a/b/done", 0o600))
	file, err = client.Open("/a/b/done")
	check(err)
	var got bytes.Buffer
	_, err = file.WriteTo(&got)
	check(err)
	check(file.Close())
	check(client.Truncate("/a/b/done", 5))
	state, err := client.Stat("/a/b/done")
	check(err)
	names, err := client.Glob("/a/b/*")
	check(err)
	_, missing := client.Stat("/missing")
	check(conn.Close())
	return map[string]any{
		"same": bytes.Equal(got.Bytes(), content), "size": state.Size(), "names": names,
		"missing": os.IsNotExist(missing),
	}
}

func overSmtp(port string) {
	number, err := strconv.Atoi(port)
	check(err)
	for _, kind := range []mail.SMTPAuthType{mail.SMTPAuthNoAuth, mail.SMTPAuthPlain, mail.SMTPAuthLogin} {
		message := mail.NewMsg()
		check(message.From("Ada Lovelace <ada@example.com>"))
		check(message.To("Bób <bob@example.com>"))
		check(message.Bcc("hidden@example.com"))
		message.Subject("Grüße: " + string(kind))
		message.SetBodyString(mail.TypeTextPlain, "Hällo\n.dot\n")
		message.AddAlternativeString(mail.TypeTextHTML, "<b>Hällo</b>")
		check(message.AttachReader("ä.bin", bytes.NewReader([]byte{0, 255, 13, 10})))
		options := []mail.Option{
			mail.WithPort(number), mail.WithTLSPolicy(mail.TLSMandatory), mail.WithTimeout(20 * time.Second),
			mail.WithTLSConfig(&tls.Config{InsecureSkipVerify: true}), mail.WithDSN(),
		}
		if kind != mail.SMTPAuthNoAuth {
			options = append(options, mail.WithSMTPAuth(kind), mail.WithUsername("ada"), mail.WithPassword("x"))
		}
		client, err := mail.NewClient(host, options...)
		check(err)
		check(client.DialAndSend(message))
	}
}

func main() {
	within := ftp.DialWithExplicitTLS(&tls.Config{InsecureSkipVerify: true, ClientSessionCache: tls.NewLRUClientSessionCache(8)})
	seen := map[string]any{
		"ftp": overFtp(os.Args[1]), "pasv": overFtp(os.Args[1], ftp.DialWithDisabledEPSV(true)),
		"ftps": overFtp(os.Args[1], within), "sftp": overSftp(os.Args[2]),
	}
	overSmtp(os.Args[3])
	check(json.NewEncoder(os.Stdout).Encode(seen))
}
