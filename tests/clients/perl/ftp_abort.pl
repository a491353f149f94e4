# Calls off transfers with Net::FTP; prints a line for each: the command, the last code, and whether the session goes on.
use strict;
use warnings;
use Net::FTP;

my ($host, $port) = @ARGV;

sub report {
    my ($what, $ftp) = @_;
    my $done = $ftp->abort;
    my $code = $ftp->code;
    print "$what $code ", ($done ? "done" : "failed"), " ", ($ftp->pwd // "nothing"), "\n";
    $ftp->quit;
}

sub session {
    my $ftp = Net::FTP->new($host, Port => $port, Timeout => 10) or die $@;
    $ftp->login("ada", "x") or die $ftp->message;
    $ftp->binary;
    return $ftp;
}

my $ftp = session();
my $data = $ftp->retr("big");
$data->read(my $some, 1000);
report("RETR", $ftp);

$ftp = session();
$data = $ftp->stor("up");
$data->write("x" x 100_000, 100_000);
report("STOR", $ftp);

$ftp = session();
$data = $ftp->appe("old");
$data->write("x" x 1000, 1000);
report("APPE", $ftp);

$ftp = session();
$data = $ftp->list("many");
report("LIST", $ftp);
