package dev.holdfast.server.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("names that an open server answers to")
class HostsTest {
    private final Hosts hosts = Hosts.only(List.of("holdfast", "*.example.com", "0.0.0.0", "Lock.Internal."));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LOCALHOST:8080",
                "localhost.",
                "127.0.0.1:8080",
                "127.9.9.9",
                "[::1]",
                "[::1]:8080",
                "192.168.1.20:8080",
                "[2001:db8::7]:443",
                "127.0.0.1.",
                "holdfast",
                "HoldFast:8080",
                "a.example.com",
                "a.b.example.com:80",
                "lock.internal",
                "lock.internal.:80",
            })
    @DisplayName("loopback, addresses as people write them, and what it was given")
    void answered(String host) {
        assertThat(hosts.contains(host)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                ":80",
                "[",
                "[]",
                "evil.example",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "[fe80::1%eth0]",
                "example.com",
                ".example.com",
                "evilexample.com",
                "holdfast.evil.example",
                "evil@localhost",
                "localhost@evil.example",
                "localhost:80:80",
                "localhost/evil",
                "localhost evil",
                "localhost,evil.example",
                "2130706433",
                "0x7f000001",
                "127.1",
                "256.1.1.1",
                "1.2.3.4.5",
                "[evil]",
                "[1234]",
                "[127.0.0.1]",
                "[abcd]",
                "[::1",
                "::1",
                "[::1].evil.example",
            })
    @DisplayName("nothing else, however it is written")
    void refused(String host) {
        assertThat(hosts.contains(host)).isFalse();
        assertThat(Hosts.ANY.contains(host)).isTrue();
    }
}
