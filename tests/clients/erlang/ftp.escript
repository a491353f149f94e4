#!/usr/bin/env escript
%% Erlang's ftp: stores, renames and reads a file, and reads it again as often as asked.
%% Prints what it saw as JSON.
%% ftp.escript PORT MODE(passive|extended|active) TLS(true|false) TIMES
main([Port, Mode, Tls, Times]) ->
  {ok, _} = application:ensure_all_started(ftp),
  {ok, _} = application:ensure_all_started(ssl),
  Bytes = << <<(I rem 251)>> || I <- lists:seq(1, 200000) >>,
  Options = [{port, list_to_integer(Port)}, {timeout, 10000}, {dtimeout, 10000}]
    ++ case Mode of
         "active" -> [{mode, active}];
         "extended" -> [{mode, passive}, {ftp_extension, true}];
         "passive" -> [{mode, passive}]
       end
    ++ case Tls of "true" -> [{tls, [{verify, verify_none}]}]; "false" -> [] end,
  {ok, Ftp} = ftp:open("127.0.0.1", Options),
  ok = ftp:user(Ftp, "ada", "x"),
  ok = ftp:type(Ftp, binary),
  ok = ftp:send_bin(Ftp, Bytes, "a.bin"),
  ok = ftp:mkdir(Ftp, "box"),
  ok = ftp:rename(Ftp, "a.bin", "box/b.bin"),
  ok = ftp:append_bin(Ftp, <<"!">>, "box/b.bin"),
  Whole = <<Bytes/binary, "!">>,
  Same = length([1 || _ <- lists:seq(1, list_to_integer(Times)), ftp:recv_bin(Ftp, "box/b.bin") =:= {ok, Whole}]),
  {ok, Names} = ftp:nlist(Ftp, "box"),
  {error, Missing} = ftp:recv_bin(Ftp, "missing"),
  ok = ftp:send_chunk_start(Ftp, "chunks"),
  ok = ftp:send_chunk(Ftp, <<"one">>),
  ok = ftp:send_chunk(Ftp, <<"two">>),
  ok = ftp:send_chunk_end(Ftp),
  ok = ftp:close(Ftp),
  io:format("{\"same\":~p,\"names\":~p,\"missing\":\"~p\"}~n", [Same, string:trim(Names), Missing]).
