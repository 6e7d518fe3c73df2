package dev.holdfast.state.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.holdfast.documents.keys.Sha256;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The checksums a {@code deployer-state-v1} document carries: {@code sha256:} and the hash of {@code resources} and of
 * {@code outputs}, each as compact JSON with members sorted by name and numbers as written. Only one resource is held in memory
 * at a time.
 */
public final class DeployerChecksums {
    /** What the document says of itself in {@code format_version}. */
    public static final String FORMAT = "deployer-state-v1";

    private static final String PREFIX = "sha256:";
    private static final Pattern CHECKSUM = Pattern.compile("sha256:[0-9a-f]{64}");
    private static final JsonFactory JSON = JsonText.factory();

    private DeployerChecksums() {}

    public static String of(Json value) {
        return PREFIX + Sha256.of(value.canonical());
    }

    /** What is wrong with the document's own checksums; empty if nothing, or if it carries none. */
    public static Optional<String> problem(byte[] bytes, DocumentScan scan) {
        DocumentScan.Place place = scan.places().get("checksums");
        if (!scan.format().equals(Optional.of(FORMAT)) || place == null) {
            return Optional.empty();
        }
        Json said = StateText.read("checksums", bytes, place.start(), place.end() - place.start());
        for (String section : List.of("resources", "outputs")) {
            Optional<String> expected =
                    said.at(section).text().filter(it -> CHECKSUM.matcher(it).matches());
            DocumentScan.Place value = scan.places().get(section);
            if (expected.isPresent() && (value == null || !expected.get().equals(checksum(bytes, value)))) {
                return Optional.of("checksums." + section + " does not match its " + section);
            }
        }
        return Optional.empty();
    }

    /** What is wrong with the document's own checksums; empty if nothing, or if it carries none. */
    public static Optional<String> problem(byte[] bytes) {
        return problem(bytes, DocumentScan.of(bytes));
    }

    private static String checksum(byte[] bytes, DocumentScan.Place place) {
        MessageDigest digest = Sha256.start();
        try (JsonParser parser = JSON.createParser(bytes, place.start(), place.end() - place.start())) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return of(StateText.read("section", bytes, place.start(), place.end() - place.start()));
            }
            byte before = '{';
            for (Map.Entry<String, DocumentScan.Place> member :
                    members(parser, place.start()).entrySet()) {
                DocumentScan.Place value = member.getValue();
                digest.update(before);
                digest.update(Json.of(member.getKey()).bytes());
                digest.update((byte) ':');
                digest.update(StateText.read(member.getKey(), bytes, value.start(), value.end() - value.start())
                        .canonical());
                before = ',';
            }
            digest.update((before == '{' ? "{}" : "}").getBytes(StandardCharsets.US_ASCII));
            return PREFIX + Sha256.end(digest);
        } catch (IOException e) {
            throw StateText.refused(e);
        }
    }

    /** In the whole document: the parser counts from the start of the section. Of two of one name the last counts. */
    private static SortedMap<String, DocumentScan.Place> members(JsonParser parser, int section) throws IOException {
        SortedMap<String, DocumentScan.Place> members = new TreeMap<>(JsonText::compare);
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            members.put(name, DocumentScan.Place.passed(parser, section));
        }
        return members;
    }
}
