module standin.test/standintest

go 1.22
