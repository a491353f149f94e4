#!/usr/bin/env escript
%% Erlang's ssh_sftp, with each host key, and tftp, with and without options. Prints what it saw as JSON.
%% sftp_tftp.escript SFTP_PORT TFTP_PORT
main([SftpPort, TftpPort]) ->
  [{ok, _} = application:ensure_all_started(App) || App <- [ssh, tftp]],
  logger:set_primary_config(level, error),
  Bytes = << <<(I rem 251)>> || I <- lists:seq(1, 300000) >>,
  Keys = [sftp(list_to_integer(SftpPort), Key, Bytes) || Key <- ['ssh-ed25519', 'rsa-sha2-512', 'rsa-sha2-256']],
  To = [{host, "127.0.0.1"}, {port, list_to_integer(TftpPort)}],
  Tftp = [begin
    {ok, 300000} = tftp:write_file(Name, Bytes, To ++ Options),
    {ok, Got} = tftp:read_file(Name, binary, To ++ Options),
    Got =:= Bytes
  end || {Name, Options} <- [{"plain.bin", []}, {"blocks.bin", [{"blksize", "1400"}, {"tsize", "0"}]}]],
  {error, {client_open, Missing, _}} = tftp:read_file("missing", binary, To),
  io:format("{\"sftp\":~p,\"tftp\":~p,\"missing\":\"~p\"}~n", [Keys, Tftp, Missing]).

sftp(Port, Key, Bytes) ->
  {ok, Channel, Connection} = ssh_sftp:start_channel("127.0.0.1", Port, [
    {user, "ada"}, {password, "x"}, {user_interaction, false}, {silently_accept_hosts, true},
    {save_accepted_host, false}, {preferred_algorithms, [{public_key, [Key]}]}]),
  Folder = "/" ++ atom_to_list(Key),
  ok = ssh_sftp:write_file(Channel, Folder ++ ".part", Bytes),
  ok = ssh_sftp:make_dir(Channel, Folder),
  ok = ssh_sftp:rename(Channel, Folder ++ ".part", Folder ++ "/done"),
  {ok, ["done"]} = ssh_sftp:list_dir(Channel, Folder),
  {error, no_such_file} = ssh_sftp:read_file(Channel, "/missing"),
  {ok, Got} = ssh_sftp:read_file(Channel, Folder ++ "/done"),
  ssh:close(Connection),
  Got =:= Bytes.
