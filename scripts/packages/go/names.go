package standintest

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
)

// Header is the field that names the namespace of a request or mail by default.
const Header = "X-Standin-Namespace"

// Rules that read what Address and Credential return.
const (
	RecipientRule  = "*+{namespace}@*"
	CredentialRule = "*--{namespace}"
)

var namePattern = regexp.MustCompile(`^[A-Za-z0-9_.:]+(?:-[A-Za-z0-9_.:]+)*$`)

// checkName refuses a name that a rule would read as another one, or not at all.
func checkName(name string) error {
	if len(name) <= 64 && namePattern.MatchString(name) {
		return nil
	}
	return fmt.Errorf(`cannot use namespace %q: expected 1 to 64 letters, digits, "_", ".", ":" and single "-" between them`, name)
}

// uniqueName returns a namespace that no other test uses.
func uniqueName(prefix string) string {
	bytes := make([]byte, 6)
	if _, err := rand.Read(bytes); err != nil {
		panic(err) // The system has no source of random bytes.
	}
	return prefix + "-" + hex.EncodeToString(bytes)
}

// Headers returns the header fields that put a request or mail into the namespace of the client. They are empty for a
// client without one.
func (c *Client) Headers() map[string]string {
	if c.namespace == "" {
		return map[string]string{}
	}
	return map[string]string{Header: c.namespace}
}

// Address returns a recipient of the client's namespace: ada@example.org becomes ada+t1@example.org, for the rule
// *+{namespace}@* of the service. It panics for a text that is not an address, and for a client without a namespace.
func (c *Client) Address(address string) string {
	at := strings.LastIndexByte(address, '@')
	if at < 1 {
		panic(fmt.Sprintf("cannot put %q into a namespace: expected an email address", address))
	}
	return address[:at] + "+" + c.mustName() + address[at:]
}

// Credential returns an API key, token, user name or password of the client's namespace: re_any becomes re_any--t1, for
// the rule *--{namespace} of the service. It panics for a client without a namespace.
func (c *Client) Credential(credential string) string {
	return credential + "--" + c.mustName()
}

// Name returns the client's namespace, or "".
func (c *Client) Name() string { return c.namespace }

func (c *Client) mustName() string {
	if c.namespace == "" {
		panic("cannot make an address or credential: this client has no namespace; use Namespace first")
	}
	return c.namespace
}
