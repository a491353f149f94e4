module standin.test/toml

go 1.23

require github.com/toml-lang/toml-test/v2 v2.2.0

require github.com/BurntSushi/toml v1.6.0 // indirect
