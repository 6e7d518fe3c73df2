package dev.holdfast.server.http.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("where requests come from")
class RemoteAddressesTest {
    private final RemoteAddresses addresses = RemoteAddresses.behind(List.of("10.0.0.0/8", "fd00::/8"));

    @ParameterizedTest(name = "{0}, {1} -> {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "10.0.0.1 | 192.0.2.7 | 192.0.2.7",
                "10.0.0.1 | 6.6.6.6, 192.0.2.7 | 192.0.2.7",
                "10.0.0.1 | 192.0.2.7, 10.0.0.9 | 192.0.2.7",
                "10.0.0.1 | 6.6.6.6, 192.0.2.7 , 10.0.0.9,10.0.0.8 | 192.0.2.7",
                "10.0.0.1 | 10.0.0.3, 10.0.0.2 | 10.0.0.3",
                "10.0.0.1 | 192.0.2.7:5511 | 192.0.2.7",
                "10.0.0.1 | [2001:db8::7]:5511 | 2001:db8:0:0:0:0:0:7",
                "10.0.0.1 | 2001:db8::7 | 2001:db8:0:0:0:0:0:7",
                "10.0.0.1 | unknown | 10.0.0.1",
                "10.0.0.1 | 192.0.2.7, unknown | 10.0.0.1",
                "10.0.0.1 | evil.example | 10.0.0.1",
                "10.0.0.1 | 192.0.2.7, evil.example, 10.0.0.2 | 10.0.0.2",
                "10.0.0.1 | '' | 10.0.0.1",
                "10.0.0.1 | 999.1.1.1 | 10.0.0.1",
            })
    @DisplayName("the last address that no proxy of ours has; what is no address ends the search")
    void forwardedFor(String peer, String header, String client) {
        assertThat(addresses.client(peer, List.of(header), List.of())).isEqualTo(client);
    }

    @Test
    @DisplayName("several headers are one list, and X-Forwarded-For comes before Forwarded")
    void several() {
        assertThat(addresses.client("10.0.0.1", List.of("6.6.6.6", "192.0.2.7"), List.of()))
                .isEqualTo("192.0.2.7");
        assertThat(addresses.client("10.0.0.1", List.of("192.0.2.7"), List.of("for=6.6.6.6")))
                .isEqualTo("192.0.2.7");
        assertThat(addresses.client(
                        "10.0.0.1", List.of(), List.of("for=6.6.6.6, For=\"[2001:db8::7]:80\";proto=https")))
                .isEqualTo("2001:db8:0:0:0:0:0:7");
        assertThat(addresses.client("10.0.0.1", List.of(), List.of("for=_hidden")))
                .isEqualTo("10.0.0.1");
        assertThat(addresses.client("10.0.0.1", List.of(), List.of("proto=https")))
                .isEqualTo("10.0.0.1");
    }

    @Test
    @DisplayName("who is no proxy of ours is not believed; this machine and proxies are not one client")
    void strangers() {
        assertThat(addresses.client("192.0.2.66", List.of("6.6.6.6"), List.of()))
                .isEqualTo("192.0.2.66");
        assertThat(RemoteAddresses.DIRECT.client("10.0.0.1", List.of("6.6.6.6"), List.of()))
                .isEqualTo("10.0.0.1");
        assertThat(List.of("127.0.0.1", "0:0:0:0:0:0:0:1", "10.2.3.4")).allMatch(addresses::isShared);
        assertThat(addresses.isShared("192.0.2.1")).isFalse();
    }
}
