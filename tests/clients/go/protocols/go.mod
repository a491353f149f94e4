module standin.test/protocols

go 1.26.0

require (
	github.com/jlaffaye/ftp v0.2.4
	github.com/pkg/sftp v1.13.12
	github.com/wneessen/go-mail v0.6.2
	golang.org/x/crypto v0.57.0
)

require (
	github.com/kr/fs v0.1.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
	golang.org/x/text v0.42.0 // indirect
)
