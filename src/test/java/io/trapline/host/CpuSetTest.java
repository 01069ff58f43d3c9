package io.trapline.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuSetTest {

    /** Lists as kernels and people write them: text, size, smallest and largest id. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0                          | 1    | 0  | 0",
                "0-3                        | 4    | 0  | 3",
                "0-3,8                      | 5    | 0  | 8",
                "0,8,16,24,32               | 5    | 0  | 32",
                "0-123,248-371              | 248  | 0  | 371",
                "0-15,128-143               | 32   | 0  | 143",
                "9-11                       | 3    | 9  | 11",
                "3,1,2                      | 3    | 1  | 3",
                "0-3,2-5                    | 6    | 0  | 5",
                "' 0-1 , 4 '                | 3    | 0  | 4",
                "0-62:2/4                   | 32   | 0  | 61",
                "0-6:1/2                    | 4    | 0  | 6",
                "0-1279                     | 1280 | 0  | 1279",
                "8191                       | 1    | 8191 | 8191",
            })
    void readsTheKernelsNotation(String list, int size, int first, int last) {
        CpuSet set = CpuSet.parse(list);
        assertThat(set.size()).isEqualTo(size);
        assertThat(set.first()).isEqualTo(first);
        assertThat(set.stream().max()).hasValue(last);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n"})
    void anEmptyListIsNoCpu(String list) {
        assertThat(CpuSet.parse(list)).isEqualTo(CpuSet.EMPTY);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0,,1       | empty part",
                "0,         | empty part",
                ",          | empty part",
                "3-1        | runs backwards",
                "a          | \"a\" is no CPU id",
                "0-x        | \"0-x\" is no CPU id",
                "-1         | \"-1\" is no CPU id",
                "0-3-5      | \"0-3-5\" is no CPU id",
                "0 1        | \"0 1\" is no CPU id",
                "0x3        | \"0x3\" is no CPU id",
                "8192       | CPU 8192 in \"8192\" is above 8191",
                "0-9000     | CPU 9000 in \"0-9000\" is above 8191",
                "9999999999 | is no CPU id",
                "0-7:0/2    | empty group",
                "0-7:3/2    | empty group",
                "0-7:2      | is no CPU id",
                "(null)     | is no CPU id",
            })
    void namesThePartThatIsWrong(String list, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CpuSet.parse(list))
                .withMessageContaining(message);
    }

    @Test
    void refusesIdsThatNoKernelHas() {
        assertThatIllegalArgumentException().isThrownBy(() -> CpuSet.of(8192)).withMessageContaining("8192");
        assertThatIllegalArgumentException().isThrownBy(() -> CpuSet.of(-1)).withMessageContaining("-1");
    }

    @Test
    void whatItWritesItReads() {
        Random random = new Random(1);
        for (int round = 0; round < 500; round++) {
            CpuSet set = randomSet(random);
            assertThat(CpuSet.parse(set.toString())).isEqualTo(set).hasSameHashCodeAs(set);
        }
    }

    @Test
    void operationsAgreeWithMembership() {
        Random random = new Random(2);
        for (int round = 0; round < 50; round++) {
            CpuSet a = randomSet(random);
            CpuSet b = randomSet(random);
            for (int id = 0; id <= CpuSet.MAX_ID; id++) {
                boolean inA = a.contains(id);
                boolean inB = b.contains(id);
                assertThat(a.and(b).contains(id)).isEqualTo(inA && inB);
                assertThat(a.or(b).contains(id)).isEqualTo(inA || inB);
                assertThat(a.minus(b).contains(id)).isEqualTo(inA && !inB);
            }
        }
    }

    @Test
    void writesRangesShortest() {
        assertThat(CpuSet.of(8, 0, 1, 2, 10, 11)).hasToString("0-2,8,10-11");
        assertThat(CpuSet.EMPTY).hasToString("");
    }

    @Test
    void isItsListInJson() throws Exception {
        ObjectMapper json = new ObjectMapper();
        assertThat(json.writeValueAsString(CpuSet.of(0, 1, 5))).isEqualTo("\"0-1,5\"");
        assertThat(json.readValue("\"0-1,5\"", CpuSet.class)).isEqualTo(CpuSet.of(0, 1, 5));
    }

    /** Runs and holes of random length, so that single ids, ranges and both ends of the space occur. */
    private static CpuSet randomSet(Random random) {
        int hole = 1 + random.nextInt(2000);
        int run = 1 + random.nextInt(50);
        return CpuSet.of(IntStream.iterate(
                        random.nextInt(hole), from -> from <= CpuSet.MAX_ID, from -> from + 1 + random.nextInt(hole))
                .flatMap(from -> IntStream.rangeClosed(from, Math.min(CpuSet.MAX_ID, from + random.nextInt(run)))));
    }
}
