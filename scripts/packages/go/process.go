package standintest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// stopTimeout is the time from the request to stop until the program is killed.
const stopTimeout = 8 * time.Second

// keptBytes of what the program says are kept.
const keptBytes = 65536

// StartOptions say how the program is started.
type StartOptions struct {
	// Program is its path; by default STANDIN_PROGRAM, or standin on the PATH.
	Program string
	// Args are more flags of standin serve.
	Args []string
	// Env has more environment variables, as NAME=value.
	Env []string
	// Timeout is the longest time until it is ready: 30 seconds if it is 0.
	Timeout time.Duration
}

// Program is a client of a program that was started for it.
type Program struct {
	*Client
	// Addresses are by listener: ui, api, ingress, mail/smtp and so on.
	Addresses map[string]string
	// Ingress is the address that the HTTP providers share.
	Ingress string
	// PID is the process id.
	PID int

	input io.Closer
	ended <-chan error
	kill  func() error
}

// Start starts the program, and returns when every listener accepts connections. The program also stops when this
// process ends, however that happens. Namespaces are read from the header, from recipients such as ada+t1@example.org
// and from credentials such as re_any--t1, unless Args or Env say otherwise. The error has what the program said.
func Start(ctx context.Context, options StartOptions) (*Program, error) {
	path := options.Program
	if path == "" {
		found, err := findProgram()
		if err != nil {
			return nil, err
		}
		path = found
	}
	args := append([]string{"serve", "--free-ports", "--stop-on-eof", "--log-format=json"}, options.Args...)
	// Not CommandContext: the program outlives the context of its start.
	command := exec.Command(path, args...)
	command.Env = append(append([]string{
		"SERVICE_LOG_LEVEL=warn",
		"SERVICE_NAMESPACE_RECIPIENTS=" + RecipientRule,
		"SERVICE_NAMESPACE_CREDENTIALS=" + CredentialRule,
	}, os.Environ()...), options.Env...)
	complaints := &tail{}
	command.Stderr = complaints
	input, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, writer := io.Pipe()
	command.Stdout = writer
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", path, err)
	}
	ended := make(chan error, 1)
	go func() {
		err := command.Wait()
		writer.Close()
		ended <- err
		close(ended)
	}()
	program := &Program{PID: command.Process.Pid, input: input, ended: ended, kill: command.Process.Kill}
	line, err := firstLine(ctx, output, options.Timeout)
	if err != nil {
		program.Stop()
		return nil, fmt.Errorf("cannot start %s: %w\n%s", path, err, complaints)
	}
	if err := json.Unmarshal([]byte(line), &program.Addresses); err != nil || program.Addresses["api"] == "" {
		program.Stop()
		return nil, fmt.Errorf("cannot start %s: it said %.200q instead of where it listens\n%s", path, line, complaints)
	}
	for _, name := range []string{"time", "level", "message"} {
		delete(program.Addresses, name)
	}
	program.Ingress = program.Addresses["ingress"]
	program.Client = Connect(strings.TrimSuffix(program.Addresses["api"], "/api/v1"))
	return program, nil
}

// Stop stops the program, and returns when it has ended.
func (p *Program) Stop() {
	p.input.Close()
	select {
	case <-p.ended:
	case <-time.After(stopTimeout):
		_ = p.kill() // It may just have ended.
		<-p.ended
	}
}

// firstLine returns the first line, and reads the others, which are of no interest.
func firstLine(ctx context.Context, output io.Reader, timeout time.Duration) (string, error) {
	if timeout == 0 {
		timeout = 30 * time.Second
	}
	lines := make(chan string, 1)
	go func() {
		reader := bufio.NewReader(output)
		line, _ := reader.ReadString('\n')
		lines <- line
		_, _ = io.Copy(io.Discard, reader)
	}()
	select {
	case line := <-lines:
		if line == "" {
			return "", fmt.Errorf("it ended before it was ready")
		}
		return line, nil
	case <-time.After(timeout):
		return "", fmt.Errorf("it is not ready after %s", timeout)
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func findProgram() (string, error) {
	if named := os.Getenv("STANDIN_PROGRAM"); named != "" {
		return named, nil
	}
	if found, err := exec.LookPath("standin"); err == nil {
		return found, nil
	}
	// Where the install script puts it.
	if home, err := os.UserHomeDir(); err == nil {
		own := filepath.Join(home, ".local", "bin", "standin")
		if found, err := exec.LookPath(own); err == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("cannot find the standin program: install it, put it on the PATH, or name it in STANDIN_PROGRAM")
}

// tail keeps the end of what is written to it.
type tail struct {
	mutex sync.Mutex
	kept  []byte
}

func (t *tail) Write(bytes []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.kept = append(t.kept, bytes...)
	if extra := len(t.kept) - keptBytes; extra > 0 {
		t.kept = append([]byte(nil), t.kept[extra:]...)
	}
	return len(bytes), nil
}

func (t *tail) String() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return string(t.kept)
}
