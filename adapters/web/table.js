// A page of a result. Cells are text nodes: nothing in the data is ever read as HTML.
export default {
  template: `
    <div class="result" role="region" tabindex="0" :aria-label="caption">
      <table>
        <thead>
          <tr>
            <th v-for="(column, i) in columns" :key="i" scope="col" :class="column.kind" :aria-sort="ariaSort(i)">
              <button v-if="sortable" type="button" :data-answer="'sort:' + i" :title="'Sort by ' + column.name"
                      @click="$emit('sort', i, next(i))">
                <span>{{ column.name }}</span><span class="arrow" aria-hidden="true">{{ arrow(i) }}</span>
              </button>
              <span v-else>{{ column.name }}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <tr v-for="(row, r) in rows" :key="r">
            <td v-for="(cell, i) in row" :key="i" :class="columns[i].kind" :title="long(cell) ? cell : null"
                :tabindex="long(cell) ? 0 : null" @click="open" @keydown.enter="open">
              <span v-if="cell === null" class="null">NULL</span>
              <template v-else>{{ cell }}</template>
            </td>
          </tr>
        </tbody>
      </table>
    </div>`,
  props: { columns: Array, rows: Array, sort: Array, sortable: Boolean, caption: String },
  emits: ["sort"],
  methods: {
    direction(i) {
      return this.sort && this.sort[0] === i ? this.sort[1] : null;
    },
    next(i) {
      return this.direction(i) === "up" ? "down" : "up";
    },
    arrow(i) {
      return { up: "↑", down: "↓" }[this.direction(i)] ?? "↕";
    },
    ariaSort(i) {
      return { up: "ascending", down: "descending" }[this.direction(i)] ?? null;
    },
    open(event) {
      event.currentTarget.classList.toggle("open");
    },
    long(cell) {
      return cell !== null && cell.length > 40;
    },
  },
};
