package dev.holdfast.guard.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The address policy")
final class AddressPolicyTest {
    private final AddressPolicy standard = AddressPolicy.standard();

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "169.254.169.254",
                "169.254.170.2",
                "::ffff:169.254.169.254",
                "::169.254.169.254",
                "64:ff9b::a9fe:a9fe",
                "2002:a9fe:a9fe::1",
                "64:ff9b:1::a9fe:a9fe",
                "64:ff9b:1:a9fe:a9:fe00::",
                "64:ff9b:1:ffff:a9:fea9:fe00:0",
                "2001::a9fe:a9fe",
                "2001:0:4136:e378:8000:63bf:5601:5601",
                "fe80::1",
                "febf::1",
                "fd00:ec2::254",
                "fd20:ce::254",
                "100.100.100.200",
                "168.63.129.16",
                "0.0.0.0",
                "::",
                "224.0.0.1",
                "255.255.255.255",
                "ff02::1"
            })
    @DisplayName("never lets a probe go to link-local, metadata or special addresses, however they are written")
    void never(String address) throws Exception {
        AddressPolicy listed = standard.allowing(List.of("0.0.0.0/0", "::/0", "evil.test"));

        assertThat(standard.refusal("evil.test", InetAddress.getByName(address)))
                .isPresent();
        assertThat(listed.refusal("evil.test", InetAddress.getByName(address))).isPresent();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"10.1.2.3", "172.31.0.1", "192.168.1.1", "127.0.0.1", "100.64.0.1", "::1", "fd12::1"})
    @DisplayName("lets a probe go to private addresses unless told otherwise")
    void privateRanges(String address) throws Exception {
        assertThat(standard.refusal("app.test", InetAddress.getByName(address))).isEmpty();
        assertThat(standard.withoutPrivate().refusal("app.test", InetAddress.getByName(address)))
                .isPresent();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"8.8.8.8", "172.32.0.1", "169.253.0.1", "2606:4700::1111", "fd00:ec3::1", "fed0::1"})
    @DisplayName("lets a probe go to public addresses and those just beside forbidden ones")
    void publicAddresses(String address) throws Exception {
        boolean siteLocal = address.startsWith("fed0");
        assertThat(standard.refusal("app.test", InetAddress.getByName(address)).isPresent())
                .isEqualTo(siteLocal);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "http://metadata.google.internal/",
                "http://METADATA.google.internal./computeMetadata/",
                "http://metadata/",
                "http://instance-data/",
                "http://169.254.169.254/",
                "http://[::ffff:169.254.169.254]/",
                "http://[fd00:ec2::254]/",
                "gopher://app.test/",
                "//app.test/",
                "http://me@app.test/",
                "http://app.test:0/",
                "http://a b/"
            })
    @DisplayName("refuses a URL when it is registered, before any name is resolved")
    void urls(String url) {
        assertThat(standard.refusal(URI.create(url.replace(" ", "%20")))).isPresent();
    }

    @Test
    @DisplayName("narrowed by a list lets through only what is on it")
    void allowList() throws Exception {
        AddressPolicy names = standard.allowing(List.of("shop.test", "*.apps.test"));
        InetAddress some = InetAddress.getByName("10.9.9.9");

        assertThat(names.refusal("shop.test", some)).isEmpty();
        assertThat(names.refusal("a.apps.test", some)).isEmpty();
        assertThat(names.refusal("apps.test", some)).isPresent();
        assertThat(names.refusal("evilapps.test", some)).isPresent();
        assertThat(names.refusal(URI.create("http://other.test/"))).isPresent();
        assertThat(names.refusal(URI.create("http://shop.test/"))).isEmpty();

        AddressPolicy ranges = standard.allowing(List.of("10.1.0.0/20", "fd12::/16", "192.0.2.7"));
        assertThat(ranges.refusal("x.test", InetAddress.getByName("10.1.15.255")))
                .isEmpty();
        assertThat(ranges.refusal("x.test", InetAddress.getByName("10.1.16.0"))).isPresent();
        assertThat(ranges.refusal("x.test", InetAddress.getByName("192.0.2.7"))).isEmpty();
        assertThat(ranges.refusal("x.test", InetAddress.getByName("192.0.2.8"))).isPresent();
        assertThat(ranges.refusal("x.test", InetAddress.getByName("fd12::9"))).isEmpty();
        assertThat(ranges.refusal(URI.create("http://10.2.0.1/"))).isPresent();
    }

    @Test
    @DisplayName("names every entry of a list that it cannot read")
    void badList() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> standard.allowing(List.of("10.0.0.0/33", "ok.test", "http://x/", "a b")))
                .withMessageContaining("10.0.0.0/33")
                .withMessageContaining("http://x/")
                .withMessageContaining("'a b'");
    }
}
