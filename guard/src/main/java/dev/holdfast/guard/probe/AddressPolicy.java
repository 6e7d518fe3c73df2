package dev.holdfast.guard.probe;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Where a probe may go. Each rule can only refuse; a target is allowed if none does.
 *
 * <ul>
 *   <li>http and https only, without a user name in the URL;
 *   <li>never link-local addresses or where clouds keep an instance's credentials, by name or by address, however it is
 *       written or wrapped (IPv4 in IPv6, NAT64, 6to4), and never an address that means "any" or "many", or one in which an
 *       IPv4 address is hidden where only the network knows (local NAT64, Teredo);
 *   <li>loopback and private ranges unless {@link #withoutPrivate} was called: the apps of a guard usually live there;
 *   <li>if there is an allow-list, only what is on it.
 * </ul>
 *
 * <p>Immutable. Asks no name server.
 */
public final class AddressPolicy {
    private static final Set<String> METADATA_NAMES = Set.of(
            "metadata",
            "metadata.google.internal",
            "metadata.goog",
            "metadata.tencentyun.com",
            "metadata.platformequinix.com",
            "instance-data",
            "instance-data.ec2.internal");

    private static final List<AddressRange> NEVER = ranges(
            "0.0.0.0/8", // this network
            "169.254.0.0/16", // link-local: EC2, ECS, GCP, Azure
            "100.100.100.200", // Alibaba's metadata
            "168.63.129.16", // Azure's wire server
            "192.0.0.192", // Oracle's metadata
            "224.0.0.0/3", // multicast, reserved, broadcast
            "::/128",
            "64:ff9b:1::/48", // NAT64 of one network: where in it the IPv4 address stands, only that network knows
            "2001::/32", // Teredo: an IPv4 address behind two others
            "fe80::/10",
            "fec0::/10", // site-local, as link-local once was
            "fd00:ec2::/32", // EC2's metadata, time and names
            "fd20:ce::254", // GCP's metadata
            "ff00::/8");

    private static final List<AddressRange> PRIVATE =
            ranges("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "100.64.0.0/10", "::1", "fc00::/7");

    private static final AddressRange NAT64 = AddressRange.of("64:ff9b::/96");
    private static final AddressRange SIX_TO_FOUR = AddressRange.of("2002::/16");
    private static final AddressRange COMPATIBLE = AddressRange.of("0:0:0:0:0:0::/96");

    private final boolean privateAllowed;
    private final List<AddressRange> allowedRanges;
    private final List<String> allowedNames;

    private AddressPolicy(boolean privateAllowed, List<AddressRange> allowedRanges, List<String> allowedNames) {
        this.privateAllowed = privateAllowed;
        this.allowedRanges = List.copyOf(allowedRanges);
        this.allowedNames = List.copyOf(allowedNames);
    }

    /** Private ranges too, no allow-list. */
    public static AddressPolicy standard() {
        return new AddressPolicy(true, List.of(), List.of());
    }

    /** The same without loopback and private ranges. */
    public AddressPolicy withoutPrivate() {
        return new AddressPolicy(false, allowedRanges, allowedNames);
    }

    /**
     * The same, narrowed to these: addresses and ranges ({@code 10.1.0.0/16}), host names, or all names below one
     * ({@code *.apps.example.com}). An empty list narrows nothing. Throws IllegalArgumentException naming every entry that is
     * none of these.
     */
    public AddressPolicy allowing(List<String> entries) {
        List<AddressRange> ranges = new ArrayList<>();
        List<String> names = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (String entry : entries) {
            String text = entry.strip();
            try {
                if (text.indexOf('/') >= 0 || AddressRange.literal(text)) {
                    ranges.add(AddressRange.of(text));
                } else if (text.matches("(\\*\\.)?[A-Za-z0-9_]([A-Za-z0-9._-]*)")) {
                    names.add(ProbeUrl.plain(text));
                } else {
                    problems.add("'" + text + "' is not an address, a range like 10.1.0.0/16 or a host name");
                }
            } catch (IllegalArgumentException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("allow-list: " + String.join("; ", problems));
        }
        return new AddressPolicy(privateAllowed, ranges, names);
    }

    /** Why no probe may go to this URL, as far as that can be told without resolving its name; for checking input. */
    public Optional<String> refusal(URI url) {
        try {
            return refusal(ProbeUrl.of(url));
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    Optional<String> refusal(ProbeUrl url) {
        if (METADATA_NAMES.contains(url.host())) {
            return Optional.of("'" + url.host() + "' is where a cloud keeps credentials; it is never probed");
        }
        if (AddressRange.literal(url.host())) {
            try {
                return refusal(url.host(), InetAddress.getByName(url.host()));
            } catch (UnknownHostException e) {
                return Optional.of("'" + url.host() + "' is not an address");
            }
        }
        // With ranges on the list, only the address can tell.
        boolean possible = allowedNames.isEmpty() || !allowedRanges.isEmpty() || named(url.host());
        return possible ? Optional.empty() : Optional.of("'" + url.host() + "' is not on the allow-list");
    }

    /** Why no probe may go to this address, which the host name stands for. */
    Optional<String> refusal(String host, InetAddress address) {
        byte[] bytes = inner(address.getAddress());
        String shown = address.getHostAddress();
        if (in(NEVER, bytes) || in(NEVER, address.getAddress())) {
            return Optional.of(shown + " is a link-local, metadata or other special address; it is never probed");
        }
        if (!privateAllowed && (in(PRIVATE, bytes) || in(PRIVATE, address.getAddress()))) {
            return Optional.of(shown + " is a private address, and those are not allowed here");
        }
        boolean noList = allowedNames.isEmpty() && allowedRanges.isEmpty();
        if (noList || named(host) || in(allowedRanges, address.getAddress())) {
            return Optional.empty();
        }
        return Optional.of(shown + " is not on the allow-list");
    }

    private boolean named(String host) {
        return allowedNames.stream()
                .anyMatch(name -> name.startsWith("*.") ? host.endsWith(name.substring(1)) : host.equals(name));
    }

    /** The IPv4 address a gateway would take out of this IPv6 address, or the address itself. */
    private static byte[] inner(byte[] address) {
        if (address.length == 4) {
            return address;
        }
        boolean compatible = COMPATIBLE.contains(address) && (address[12] != 0 || address[13] != 0);
        if (compatible || NAT64.contains(address)) {
            return Arrays.copyOfRange(address, 12, 16);
        }
        return SIX_TO_FOUR.contains(address) ? Arrays.copyOfRange(address, 2, 6) : address;
    }

    private static boolean in(List<AddressRange> ranges, byte[] address) {
        return ranges.stream().anyMatch(range -> range.contains(address));
    }

    private static List<AddressRange> ranges(String... texts) {
        return Arrays.stream(texts).map(AddressRange::of).toList();
    }
}
