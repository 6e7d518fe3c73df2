package dev.holdfast.state.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("what a document says about itself")
final class DocumentScanTest {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("is read from its top level only")
    void topLevel() {
        DocumentScan scan = DocumentScan.of(bytes(
                "{\"x\":{\"serial\":9,\"lineage\":\"no\"},\"serial\":4,\"lineage\":\"ab\",\"list\":[{\"serial\":8}]}"));
        assertThat(scan.serial()).contains(4L);
        assertThat(scan.lineage()).contains("ab");
    }

    @Test
    @DisplayName("has no serial where that is not a whole number that every JSON reader keeps")
    void noSerial() {
        for (String value : List.of(
                "\"4\"", "4.0", "-1", "4e0", "9007199254740993", "123456789012345678901234567890", "null", "[1]")) {
            assertThat(DocumentScan.of(bytes("{\"serial\":" + value + "}")).serial())
                    .as(value)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"serial\":7}",
                "{ \"ü€😀\" : \"ü€😀\" ,\n\t\"serial\"  :  7 , \"after\": {\"serial\": 1} }\r\n",
                "{\"resources\":[{\"serial\":3}],\"serial\":7,\"outputs\":{}}",
                "{\"serial\":7\n}",
                "\uFEFF{\"serial\":7}"
            })
    @DisplayName("can be given another serial, and stays the same byte for byte around it")
    void withSerial(String text) {
        DocumentScan scan = DocumentScan.of(bytes(text));
        String expected = text.replaceFirst("(\"serial\"\\s*:\\s*)7", "$1" + 1234567);
        assertThat(new String(scan.withSerial(bytes(text), 1234567), StandardCharsets.UTF_8))
                .isEqualTo(expected);
        assertThat(DocumentScan.of(scan.withSerial(bytes(text), 1234567)).serial())
                .contains(1234567L);
    }

    @Test
    @DisplayName("knows where its values begin and end, whatever they are and whatever stands between them")
    void places() {
        String text = "{\"outputs\":\"a\\\"b, }\" \t,\n \"x\":[1, 2] , \"resources\" : [ {\"a\": \"ü\"} ]\r\n,"
                + "\"checksums\":null,\"serial\":12 ,\"lineage\":\"l\"\n}";
        byte[] bytes = bytes(text);
        DocumentScan scan = DocumentScan.of(bytes);
        Map<String, String> values = new TreeMap<>();
        scan.places()
                .forEach((name, at) ->
                        values.put(name, new String(bytes, at.start(), at.end() - at.start(), StandardCharsets.UTF_8)));
        assertThat(values)
                .isEqualTo(Map.of(
                        "outputs",
                        "\"a\\\"b, }\"",
                        "resources",
                        "[ {\"a\": \"ü\"} ]",
                        "checksums",
                        "null",
                        "serial",
                        "12",
                        "lineage",
                        "\"l\""));
        for (String bad : List.of("{\"resources\":\"abc", "{\"resources\":\"a\\x\"}", "{\"resources\":\"a\nb\"}")) {
            assertThatThrownBy(() -> DocumentScan.of(bytes(bad))).as(bad).isInstanceOf(StateInvalidException.class);
        }
    }

    @Test
    @DisplayName("counts the last of two serials, and changes that one")
    void twice() {
        byte[] text = bytes("{\"serial\":1,\"serial\":20}");
        DocumentScan scan = DocumentScan.of(text);
        assertThat(scan.serial()).contains(20L);
        assertThat(new String(scan.withSerial(text, 3), StandardCharsets.UTF_8))
                .isEqualTo("{\"serial\":1,\"serial\":3}");
    }

    @Test
    @DisplayName("is refused unless it is one JSON value in UTF-8, without telling its content")
    void refused() {
        for (String bad : List.of(
                "", " ", "{", "[1,2", "{\"a\":1,}", "{'a':1}", "NaN", "hunter2", "{} {}", "\"abc", "01", "{\"a\" 1}")) {
            assertThatThrownBy(() -> DocumentScan.of(bytes(bad)))
                    .as(bad)
                    .isInstanceOf(StateInvalidException.class)
                    .hasMessageContaining("JSON")
                    .hasMessageNotContaining("hunter2");
        }
        assertThatThrownBy(() -> DocumentScan.of("{\"a\":1}".getBytes(StandardCharsets.UTF_16)))
                .isInstanceOf(StateInvalidException.class);
        assertThatThrownBy(() -> DocumentScan.of("{\"a\":1}".getBytes(StandardCharsets.UTF_16LE)))
                .isInstanceOf(StateInvalidException.class);
        assertThatThrownBy(() -> DocumentScan.of(new byte[] {'"', (byte) 0xc3, '"'}))
                .isInstanceOf(StateInvalidException.class);
        assertThatThrownBy(() -> DocumentScan.of(bytes("[".repeat(5_000) + "]".repeat(5_000))))
                .isInstanceOf(StateInvalidException.class);
        assertThat(DocumentScan.of(bytes("null")).serial()).isEmpty();
        assertThat(DocumentScan.of(bytes("[{\"serial\":1}]")).serial()).isEmpty();
    }
}
